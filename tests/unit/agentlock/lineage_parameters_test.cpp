#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "agentlock/parameter_leaves.hpp"
#include "agentlock/parameters.hpp"

using namespace agentlock;

namespace {

std::string leaves_of(std::string_view json) {
  const auto parameters = parse_parameters(json);
  REQUIRE(parameters);
  std::string text;
  for (const ParameterLeaf& leaf : parameter_leaves(*parameters)) {
    text += leaf.path + "=" + leaf.text + ";";
  }
  return text;
}

}  // namespace

TEST_CASE("numbers and truth values are read as Python prints them", "[unit]") {
  CHECK(leaves_of(R"({"a":1,"b":1.0,"c":-0,"d":-0.0,"e":true,"f":false,"g":null})") ==
        "a=1;b=1.0;c=0;d=-0.0;e=True;f=False;");
  CHECK(leaves_of(R"({"a":123456789012345678901234567890})") ==
        "a=123456789012345678901234567890;");
  CHECK(leaves_of(R"({"a":-123456789012345678901234567890})") ==
        "a=-123456789012345678901234567890;");
  CHECK(leaves_of(R"([1e16,1e15,0.0001,0.00001,1.5e300,0.1,123456.75,1e-7])") ==
        "[0]=1e+16;[1]=1000000000000000.0;[2]=0.0001;[3]=1e-05;[4]=1.5e+300;[5]=0.1;"
        "[6]=123456.75;[7]=1e-07;");
}

TEST_CASE("leaves are walked in the order in which they were written", "[unit]") {
  CHECK(leaves_of(R"({"z":{"b":"1","a":["2",{"c":"3"}]},"a":"4"})") ==
        "z.b=1;z.a[0]=2;z.a[1].c=3;a=4;");
  CHECK(leaves_of(R"({"":{"a":"1","":{"b":"2"}},"x":{"":"3"}})") == "a=1;b=2;x.=3;");
}

TEST_CASE("a repeated key keeps its first place and its last value", "[unit]") {
  CHECK(leaves_of(R"({"a":"1","b":"2","a":"3"})") == "a=3;b=2;");
}

TEST_CASE("what is no JSON, or too deep, is refused", "[unit]") {
  for (const std::string_view json :
       {"", "{", "{\"a\":}", "[1,]", "1e999", "\"\\ud800\"", "{} {}"}) {
    const auto parsed = parse_parameters(json);
    INFO(json);
    REQUIRE_FALSE(parsed);
    CHECK(parsed.error().code() == ErrorCode::kProtocol);
  }
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  CHECK(parse_parameters(nested(512)));
  const auto deep = parse_parameters(nested(100000));
  REQUIRE_FALSE(deep);
  CHECK(deep.error().code() == ErrorCode::kLimit);
}
