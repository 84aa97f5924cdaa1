#include <utility>

#include <catch2/catch.hpp>

#include "agentlock/parameters.hpp"
#include "agentlock/receipt.hpp"

using namespace agentlock;

namespace {

std::string hash_of(std::string_view json) { return parameters_hash(*parse_parameters(json)); }

}  // namespace

TEST_CASE("parameters hash as in the specification's worked examples", "[unit]") {
  const auto [json, hash] = GENERATE(table<const char*, const char*>({
      {R"({"url":"http://evil.test/x"})",
       "6f518513f2ae253d593384223b97ab708cc4466bdb2a35aea26507cc8b84007f"},
      {R"({"value":"it's"})", "6c3b827aec46d4cd86e2cc8ac4fff1c0d2e470a062ace55fa6dcf5a32c671633"},
      {R"({"value":"say \"hi\", it's"})",
       "5977583082e3faeda76f027ddc8afacef97fcb48820a446fbfe52ff9bb658403"},
      {R"({"b":1,"a":true,"c":null,"d":2.0})",
       "8084838c0a55186afd62afb99de79983d83a7b80fa08c756f6eded3884a25d60"},
      {R"({"x":{"k2":1,"k1":[1,"é"]}})",
       "a7f399390dcd58ac381096869ffcda3eef513ab7fd44825a5c7c07e29af10a47"},
  }));
  CAPTURE(json);
  CHECK(hash_of(json) == hash);
}

// The hashes below are CPython 3.11's: sha256(str(sorted(d.items())).encode()).
TEST_CASE("parameters hash as Python prints them", "[unit]") {
  const auto [json, hash] = GENERATE(table<const char*, const char*>({
      // escapes of their own, and the backslash
      {R"({"a":"tab\there\nnl\r\\ back"})",
       "a132059d1e65deb342fb915330aa6dcc594193f56cf12338417f4758314f3b2e"},
      // control, format, private, unassigned and space characters in all three widths
      {R"({"z":"\u0000\u001f\u007f\u0085\u00a0\u00ad\u200b\u2028\ue000\udb40\udc01)"
       R"(\ud83d\ude00\u00e9\u3000\u0378"})",
       "416e5f82147be060fbfa15cb5706c1d73e39f635b922a61092916c2dd249fa2b"},
      // empty containers and numbers in every form
      {R"({"b":[],"a":{},"c":[null,true,[-12345678901234567890123,1e16,1e-05,0.1,-0.0,1.5e300]]})",
       "06efbd043f9a5cd2c9c68f0445d7dce0dfbe952a6c81cf4dd9be2c914a7d49c8"},
      // names sort by code point, which UTF-16 order is not
      {R"({"é":"1","z":"2","a":"3","\ud800\udc00":"4","\uffff":"5"})",
       "0d1c730c47c21d067be18e2afcff21ece3ccebd8bd5bf8d80f8704e23224064f"},
      // quotes in a name and in a value
      {R"({"k'":"\""})", "e0cacb299224830f8d2e789353d17264a1c5f029b868321afbd377590d6fb6ba"},
      {R"({"q":"\"'\\"})", "ffd1817073cbac336b288f0423f17d3d7084f34cc031bc7925813a113de42e7e"},
  }));
  CAPTURE(json);
  CHECK(hash_of(json) == hash);
}

TEST_CASE("no parameters have no hash", "[unit]") {
  CHECK(hash_of("{}").empty());
  CHECK(hash_of("null").empty());
  CHECK_FALSE(hash_of("[]").empty());
}
