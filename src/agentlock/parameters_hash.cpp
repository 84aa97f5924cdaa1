// AgentLock hashes what Python prints, so this prints like Python: the list of
// (name, value) pairs of a call's parameters, sorted by name, with nested objects
// in their own order. Source: agentlock-engine.md, section 10, second half.
//
// The one part that depends on a version is which code points are printable.
// It follows ICU's Unicode version, which is newer than the one of the Python
// releases that the reference ran on: a character assigned in between stands as
// itself here and escaped there. Bytes that are not UTF-8 count as U+FFFD each.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include "agentlock/parameter_leaves.hpp"
#include "agentlock/receipt.hpp"
#include "agentlock/sha256.hpp"

namespace agentlock {
namespace {

bool is_printable(UChar32 point) {
  if (point == ' ') return true;
  constexpr std::uint32_t kNonPrintable = U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CS_MASK |
                                          U_GC_CO_MASK | U_GC_CN_MASK | U_GC_ZL_MASK |
                                          U_GC_ZP_MASK | U_GC_ZS_MASK;
  return (U_GET_GC_MASK(point) & kNonPrintable) == 0;
}

void append_escaped(std::string& out, UChar32 point) {
  const char* format = point <= 0xFF ? "\\x%02x" : point <= 0xFFFF ? "\\u%04x" : "\\U%08x";
  char text[12];
  std::snprintf(text, sizeof text, format, static_cast<unsigned>(point));
  out += text;
}

void append_point(std::string& out, UChar32 point) {
  char units[U8_MAX_LENGTH];
  std::int32_t length = 0;
  U8_APPEND_UNSAFE(units, length, point);
  out.append(units, static_cast<std::size_t>(length));
}

std::string printed(std::string_view text) {
  const bool has_single = text.find('\'') != std::string_view::npos;
  const bool has_double = text.find('"') != std::string_view::npos;
  const char quote = has_single && !has_double ? '"' : '\'';
  std::string out(1, quote);
  const auto length = static_cast<std::int32_t>(text.size());
  for (std::int32_t i = 0; i < length;) {
    UChar32 point = 0;
    U8_NEXT_OR_FFFD(text.data(), i, length, point);
    if (point == '\\' || point == quote) {
      out += '\\';
      out += static_cast<char>(point);
    } else if (point == '\t') {
      out += "\\t";
    } else if (point == '\n') {
      out += "\\n";
    } else if (point == '\r') {
      out += "\\r";
    } else if (is_printable(point)) {
      append_point(out, point);
    } else {
      append_escaped(out, point);
    }
  }
  return out + quote;
}

std::string printed(const Parameter& parameter) {
  const Parameter::Value& value = parameter.value();
  if (std::holds_alternative<std::nullptr_t>(value)) return "None";
  if (const auto* text = std::get_if<std::string>(&value)) return printed(std::string_view(*text));
  std::string out;
  if (const auto* array = std::get_if<Parameter::Array>(&value)) {
    for (const Parameter& item : *array) out += (out.empty() ? "" : ", ") + printed(item);
    return '[' + out + ']';
  }
  if (const auto* object = std::get_if<Parameter::Object>(&value)) {
    for (const auto& [key, member] : *object) {
      out += (out.empty() ? "" : ", ") + printed(std::string_view(key)) + ": " + printed(member);
    }
    return '{' + out + '}';
  }
  return leaf_text(parameter);
}

}  // namespace

std::string parameters_hash(const Parameter& parameters) {
  if (std::holds_alternative<std::nullptr_t>(parameters.value())) return "";
  const auto* object = std::get_if<Parameter::Object>(&parameters.value());
  // AgentLock's calls always have an object; whatever else comes is hashed as it is
  // printed, rather than passed off as no parameters.
  if (object == nullptr) return sha256_hex(printed(parameters));
  if (object->empty()) return "";
  using Member = std::reference_wrapper<const Parameter::Object::value_type>;
  std::vector<Member> members(object->begin(), object->end());
  std::ranges::sort(members, [](const Member& a, const Member& b) {
    return a.get().first < b.get().first;  // bytes of UTF-8 sort as code points do
  });
  std::string list;
  for (const Member& member : members) {
    const auto& [key, value] = member.get();
    list +=
        (list.empty() ? "(" : ", (") + printed(std::string_view(key)) + ", " + printed(value) + ')';
  }
  return sha256_hex('[' + list + ']');
}

}  // namespace agentlock
