#include "base/json.hpp"

#include <string>
#include <string_view>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/encoding.hpp"

using namespace std::string_literals;

namespace agentlock {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// What a JSON text that is one string literal is read as.
std::string read(std::string_view literal) {
  const auto value = parse_json(std::string(literal));
  REQUIRE(value);
  REQUIRE(value->is_string());
  return value->get<std::string>();
}

std::string with_replacements(std::string_view pattern) {
  std::string text;
  for (const char c : pattern) {
    if (c == '?') {
      text += kReplacement;
    } else {
      text += c;
    }
  }
  return text;
}

ErrorCode error_of(std::string text, JsonLimits limits = {}) {
  const auto value = parse_json(std::move(text), limits);
  REQUIRE_FALSE(value);
  return value.error().code();
}

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST_CASE("a lone surrogate is replaced and hides nothing of the message", "[unit]") {
  struct {
    std::string_view literal;
    std::string_view expected;  // ? stands for U+FFFD
  } const cases[] = {
      {R"("a\ud800b")", "a?b"},
      {R"("a\udbffb")", "a?b"},
      {R"("a\udc00b")", "a?b"},
      {R"("a\udfffb")", "a?b"},
      {R"("a\uD83Db")", "a?b"},
      {R"("\ud800")", "?"},
      {R"("\udc00")", "?"},
      {R"("\ud800\ud800")", "??"},
      {R"("\udc00\ud800")", "??"},
      {R"("\udc00\udc00")", "??"},
      {R"("\ud800\u0041")", "?A"},
      {R"("\ud800\n")", "?\n"},
      {R"("\ud800\\udc00")", "?\\udc00"},
      {R"("\ud800x\udc00")", "?x?"},
  };
  for (const auto& [literal, expected] : cases) {
    INFO(literal);
    CHECK(read(literal) == with_replacements(expected));
  }
  const auto event = parse_json(R"({"params":{"title\ud800":"x\udfff"},"method":"m"})");
  REQUIRE(event);
  CHECK(string_member(*event, "method") == "m");
  CHECK(to_line(event->at("params")) == with_replacements(R"({"title?":"x?"})"));
}

TEST_CASE("whole surrogate pairs are kept", "[unit]") {
  const std::string emoji = "\xF0\x9F\x98\x80";
  CHECK(read(R"("\ud83d\ude00")") == emoji);
  CHECK(read(R"("\uD83D\uDE00\ud83d\ude00")") == emoji + emoji);
  CHECK(read(R"("\ud83d\ud83d\ude00")") == with_replacements("?") + emoji);
  CHECK(read(R"("\ud83d\ude00\ude00")") == emoji + with_replacements("?"));
  CHECK(read(R"("\ud7ff\ue000\ufffe")") == "\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBE");
}

TEST_CASE("the two halves of a pair in different strings are no pair", "[unit]") {
  const auto value = parse_json(R"(["\ud83d","\ude00",{"\ud83d":"\ude00"}])");
  REQUIRE(value);
  CHECK(to_line(*value) == with_replacements(R"(["?","?",{"?":"?"}])"));
}

TEST_CASE("a backslash that is itself escaped begins no surrogate", "[unit]") {
  CHECK(read(R"("\\ud800")") == "\\ud800");
  CHECK(read(R"("\\\\ud800")") == "\\\\ud800");
  CHECK(read(R"("\\\ud800")") == with_replacements("\\?"));
  CHECK(read(R"("\"\ud800\"")") == with_replacements("\"?\""));
}

TEST_CASE("a message full of lone surrogates is read whole", "[unit]") {
  constexpr std::size_t kCount = 700'000;  // 4 MB: a quadratic pass would not end
  std::string text = "\"";
  for (std::size_t i = 0; i < kCount; ++i) text += i % 2 == 0 ? "\\udbff" : "\\ud800";
  text += '"';
  CHECK(read(text).size() == kCount * kReplacement.size());
}

TEST_CASE("nesting is read up to the limit and refused beyond it", "[unit]") {
  CHECK(parse_json(nested(512)));
  CHECK(error_of(nested(513)) == ErrorCode::kLimit);
  const JsonLimits three{.max_depth = 3};
  CHECK(parse_json(R"({"a":[{}]})", three));
  CHECK(error_of(R"({"a":[{"b":[]}]})", three) == ErrorCode::kLimit);
  // What lies side by side is not deep.
  CHECK(parse_json("[[[]],[[]],[[]],{},{}]", three));
}

TEST_CASE("a hundred thousand open brackets end in an error and not in a crash", "[unit]") {
  CHECK(error_of(nested(100'000)) == ErrorCode::kLimit);
  CHECK(error_of(std::string(100'000, '[')) == ErrorCode::kLimit);
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += R"({"a":)";
  CHECK(error_of(objects) == ErrorCode::kLimit);
}

TEST_CASE("brackets inside of strings nest nothing", "[unit]") {
  const JsonLimits one{.max_depth = 1};
  CHECK(parse_json(R"(["[[[[{{{{"])", one));
  CHECK(parse_json(R"(["\"[[[[", "\\", "[["])", one));
  CHECK(parse_json(R"({"[[\"{{":"]]"})", one));
  // A string that an escaped backslash ends: what follows nests again.
  CHECK(error_of(R"(["\\",[]])", one) == ErrorCode::kLimit);
  CHECK(error_of(R"(["\\\\",[]])", one) == ErrorCode::kLimit);
  // Closing more than was opened buys no depth.
  CHECK(error_of("]]]][[", one) == ErrorCode::kLimit);
}

std::string object_of(std::size_t members) {
  std::string text = "{";
  for (std::size_t i = 0; i < members; ++i) {
    text += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":\"a:b\"";
  }
  return text + "}";
}

TEST_CASE("an object has as many members as the limit and not more", "[unit]") {
  CHECK(parse_json(object_of(2'048)));
  CHECK(error_of(object_of(2'049)) == ErrorCode::kLimit);
  CHECK(error_of(object_of(200'000)) == ErrorCode::kLimit);
  const JsonLimits two{.max_members = 2};
  // Each object is counted by itself, and colons in strings not at all.
  CHECK(parse_json(R"([{"a":1,"b":{"c":1,"d":2}},{"e":"::::","f":{}}])", two));
  CHECK(error_of(R"({"a":{"x":1},"b":{"y":2},"c":3})", two) == ErrorCode::kLimit);
  CHECK(error_of(R"([{"a":{"b":1,"c":2,"d":3}}])", two) == ErrorCode::kLimit);
}

TEST_CASE("a NUL byte is no JSON, wherever it stands", "[unit]") {
  for (const std::string& text : {"\0"s, "[1]\0"s, "[1]\0[2]"s, "\"a\0b\""s, "{\0}"s}) {
    CHECK(error_of(text) == ErrorCode::kProtocol);
  }
  CHECK(read(R"("a\u0000b")") == "a\0b"s);
}

TEST_CASE("what is not JSON is an error and never an exception", "[unit]") {
  for (const std::string& text :
       {""s, " "s, "]"s, "[1,]"s, "{\"a\"}"s, "nul"s, "1 2"s, "[] x"s, "\"open"s, "\"\\"s,
        "\"\\u12"s, "\"\\ud800\\u"s, "\"\\ud800\\udc\""s, "\"a\nb\""s, "\"\\x\""s, "'a'"s, "1e999"s,
        "NaN"s, "[1]\0"s}) {
    INFO(text);
    CHECK(error_of(text) == ErrorCode::kProtocol);
  }
}

TEST_CASE("invalid UTF-8 is refused when it comes in", "[unit]") {
  for (const char* bytes :
       {"\x80", "\xC3", "\xC0\xAF", "\xE2\x82", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF"}) {
    INFO(to_hex(bytes));
    CHECK(error_of("\"a" + std::string(bytes) + "\"") == ErrorCode::kProtocol);
    CHECK(error_of("{\"" + std::string(bytes) + "\":1}") == ErrorCode::kProtocol);
  }
  CHECK(read("\"\xC3\xA9\xF4\x8F\xBF\xBF\"") == "\xC3\xA9\xF4\x8F\xBF\xBF");
}

TEST_CASE("a line that is sent is one line of valid UTF-8 whatever it holds", "[unit]") {
  Json value = Json::object();
  value["a\xFF"] = "x\xC3";
  value["b"] = "line\nfeed\r\x01";
  value["c"] = Json::array({"\xED\xA0\x80", "\x80"});
  const std::string line = to_line(value);
  CHECK(is_utf8(line));
  CHECK(line.find_first_of("\n\r \x01") == std::string::npos);
  const auto back = parse_json(line);
  REQUIRE(back);
  CHECK(string_member(*back, "a" + std::string(kReplacement)) == "x" + std::string(kReplacement));
  CHECK(string_member(*back, "b") == "line\nfeed\r\x01");
}

TEST_CASE("members keep the order in which they were written", "[unit]") {
  const auto value = parse_json(R"({"z":1,"a":{"y":2,"b":3}})");
  REQUIRE(value);
  CHECK(to_line(*value) == R"({"z":1,"a":{"y":2,"b":3}})");
}

TEST_CASE("a member that is missing or of another type is not there", "[unit]") {
  const auto value = parse_json(R"({"text":"t","number":5,"none":null,"list":["text"]})");
  REQUIRE(value);
  CHECK(string_member(*value, "text") == "t");
  CHECK(string_member(*value, "number") == "");
  CHECK(string_member(*value, "none", "fallback") == "fallback");
  CHECK(string_member(*value, "missing", "fallback") == "fallback");
  CHECK(member(*value, "number") != nullptr);
  CHECK(member(*value, "missing") == nullptr);
  for (const char* other : {"[]", "\"text\"", "5", "null", "true"}) {
    CHECK(member(*parse_json(other), "text") == nullptr);
    CHECK(string_member(*parse_json(other), "text", "f") == "f");
  }
}

}  // namespace
}  // namespace agentlock
