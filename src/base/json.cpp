#include "base/json.hpp"

#include <vector>

#include <nlohmann/json.hpp>

namespace agentlock {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The UTF-16 unit of a \uXXXX escape that starts at `at`, or -1.
int escaped_unit(const std::string& text, std::size_t at) {
  if (at + 6 > text.size() || text[at] != '\\' || text[at + 1] != 'u') return -1;
  int unit = 0;
  for (std::size_t i = at + 2; i < at + 6; ++i) {
    const int digit = hex_digit(text[i]);
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

bool is_high(int unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool is_low(int unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

// One pass before parsing: the parser itself has no bound on depth and refuses a
// whole message for one lone surrogate.
Result<void> guard(std::string& text, const JsonLimits& limits) {
  std::vector<std::size_t> members;  // colons in each open array or object
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\0') return fail(ErrorCode::kProtocol, "a NUL byte in a JSON text");
    if (!in_string) {
      if (c == '"') {
        in_string = true;
      } else if (c == '[' || c == '{') {
        if (members.size() >= limits.max_depth) {
          return fail(ErrorCode::kLimit,
                      "JSON nested deeper than " + std::to_string(limits.max_depth) + " levels");
        }
        members.push_back(0);
      } else if ((c == ']' || c == '}') && !members.empty()) {
        members.pop_back();
      } else if (c == ':' && !members.empty() && ++members.back() > limits.max_members) {
        return fail(ErrorCode::kLimit, "a JSON object with more than " +
                                           std::to_string(limits.max_members) + " members");
      }
      continue;
    }
    if (c == '"') {
      in_string = false;
    } else if (c == '\\') {
      const int unit = escaped_unit(text, i);
      if (is_high(unit) && is_low(escaped_unit(text, i + 6))) {
        i += 11;
      } else if (is_high(unit) || is_low(unit)) {
        text.replace(i, 6, "\\ufffd");
        i += 5;
      } else {
        ++i;
      }
    }
  }
  return {};
}

}  // namespace

Result<Json> parse_json(std::string text, JsonLimits limits) {
  if (auto guarded = guard(text, limits); !guarded) return tl::unexpected(guarded.error());
  Json value = Json::parse(text, nullptr, false);
  if (value.is_discarded()) return fail(ErrorCode::kProtocol, "not valid JSON");
  return value;
}

std::string to_line(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const Json* member(const Json& object, std::string_view key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

std::string string_member(const Json& object, std::string_view key, std::string_view fallback) {
  const Json* value = member(object, key);
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string(fallback);
}

}  // namespace agentlock
