#include "agentlock/joined.hpp"

#include <array>
#include <charconv>

#include "base/encoding.hpp"

namespace agentlock {

Result<std::string> join_by_nul(std::initializer_list<std::string_view> texts) {
  std::string joined;
  bool first = true;
  for (const std::string_view text : texts) {
    if (text.find('\0') != std::string_view::npos) {
      return fail(ErrorCode::kInvalidArgument, "a text to be signed or hashed holds a NUL");
    }
    if (!is_utf8(text)) {
      return fail(ErrorCode::kInvalidArgument, "a text to be signed or hashed is not UTF-8");
    }
    if (!first) joined += '\0';
    first = false;
    joined += text;
  }
  return joined;
}

std::string six_decimals(double seconds) {
  // The largest double has 309 digits before the point. Not printf: that asks the locale.
  std::array<char, 340> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), seconds, std::chars_format::fixed, 6);
  return std::string(text.data(), end.ptr);
}

}  // namespace agentlock
