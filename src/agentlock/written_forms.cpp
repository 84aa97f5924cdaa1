#include "agentlock/written_forms.hpp"

namespace agentlock {

std::vector<WrittenForm> written_forms(std::string_view spelled, Side side,
                                       std::optional<std::chrono::year_month_day> today) {
  std::vector<WrittenForm> found;
  append_date_forms(spelled, side, today, found);
  append_phone_forms(spelled, side, found);
  append_code_forms(spelled, side, found);
  append_number_forms(spelled, side, found);
  return found;
}

bool word_ends_before(std::string_view spelled, std::size_t at) {
  return at == 0 || !is_word_character(code_point_before(spelled, at).value);
}

bool word_begins_at(std::string_view spelled, std::size_t at) {
  return at < spelled.size() && is_word_character(code_point_at(spelled, at).value);
}

}  // namespace agentlock
