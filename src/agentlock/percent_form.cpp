#include "agentlock/percent_form.hpp"

#include <algorithm>

namespace agentlock {

bool holds_escaped(std::string_view text) {
  return text.find_first_of(".@:/") != std::string_view::npos;
}

PercentByte first_of_percent(std::string_view form) {
  for (const PercentEscape& escape : kPercentEscapes) {
    if (form.starts_with(escape.written)) return {escape.plain, escape.written.size()};
  }
  return {form.front(), 1};
}

std::string plain_of_percent(std::string_view form) {
  std::string plain;
  while (!form.empty()) {
    const PercentByte byte = first_of_percent(form);
    plain += byte.plain;
    form.remove_prefix(byte.length);
  }
  return plain;
}

bool is_percent_ambiguous(std::string_view token) {
  return token.find('%') != std::string_view::npos && holds_escaped(token) &&
         std::ranges::any_of(kPercentEscapes, [&](const PercentEscape& escape) {
           return token.find(escape.written) != std::string_view::npos;
         });
}

}  // namespace agentlock
