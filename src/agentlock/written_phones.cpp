#include "agentlock/written_forms.hpp"

namespace agentlock {
namespace {

constexpr std::size_t kMinDigits = 7;
constexpr std::size_t kMaxDigits = 15;
// The shortest number behind a country code.
constexpr std::size_t kMinNational = 6;

bool is_between(char c) {
  return c == ' ' || c == '(' || c == ')' || c == '.' || c == '-' || c == '/';
}

std::vector<std::string> forms_of(std::string digits, bool has_plus, Side side) {
  const bool international = has_plus || digits.starts_with("00");
  if (!has_plus && international) digits.erase(0, 2);
  if (digits.size() < kMinDigits) return {};
  if (!international) {
    if (digits.front() == '0') return {"phone:0" + digits.substr(1)};
    if (digits.size() == 10) return {"phone:+1" + digits};
    if (digits.size() == 11 && digits.front() == '1') return {"phone:+" + digits};
    return {};
  }
  std::vector<std::string> forms{"phone:+" + digits};
  if (side == Side::kOperator) {
    // How the number is dialled at home; a country's code has one to three digits.
    for (std::size_t code = 1; code <= 3 && digits.size() >= code + kMinNational; ++code) {
      forms.push_back("phone:0" + digits.substr(code));
    }
  }
  return forms;
}

}  // namespace

void append_phone_forms(std::string_view spelled, Side side, std::vector<WrittenForm>& found) {
  for (std::size_t at = 0; at < spelled.size();) {
    const bool starts = is_ascii_digit(spelled[at]) || spelled[at] == '+' || spelled[at] == '(';
    const bool inside = at > 0 && (!word_ends_before(spelled, at) || spelled[at - 1] == '+');
    if (!starts || inside) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    const bool has_plus = spelled[at] == '+';
    std::string digits;
    std::size_t end = at;
    // "(0)" is the home prefix, which nobody dials behind a country code.
    for (at += has_plus ? 1 : 0; at < spelled.size(); ++at) {
      if (has_plus && spelled.substr(at).starts_with("(0)")) {
        at += 2;
      } else if (is_ascii_digit(spelled[at])) {
        digits += spelled[at];
        end = at + 1;
      } else if (!is_between(spelled[at])) {
        break;
      }
    }
    at = std::max(at, begin + 1);
    if (digits.size() < kMinDigits || digits.size() > kMaxDigits + 2) continue;
    if (word_begins_at(spelled, end)) continue;
    auto forms = forms_of(std::move(digits), has_plus, side);
    if (!forms.empty()) found.push_back({{begin, end}, std::move(forms)});
  }
}

}  // namespace agentlock
