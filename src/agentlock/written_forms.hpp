#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agentlock/character_classes.hpp"

namespace agentlock {

// Dates, numbers, telephone numbers and grouped codes are written in several ways.
// Two texts mean the same one if they have a form in common. This widens what counts
// as the operator's, so the forms of a value and of the operator's text differ where
// only one direction is safe. Source: gate.md, section 4; attacks.md F39.

/// Whose text it is.
enum class Side { kOperator, kValue };

/// A piece of a spelled text, and what it could mean.
struct WrittenForm {
  TextRange range;
  std::vector<std::string> forms;
};

/// `2026-03-14`, `14.03.2026`, `03/14/2026` (both readings where two are possible),
/// `14 March 2026`, `March 14th`; of the operator also `today`, `tomorrow` and
/// weekdays. Without `today` no year is guessed and no relative day is known.
void append_date_forms(std::string_view spelled, Side side,
                       std::optional<std::chrono::year_month_day> today,
                       std::vector<WrittenForm>& found);

/// `1000`, `$1,000.00`, `1.234,50`, and number words up to twenty. A number with a
/// sign before it, a percent sign after it or a leading zero has no other form.
void append_number_forms(std::string_view spelled, Side side, std::vector<WrittenForm>& found);

/// `+49 30 901820`, `0049 30 901820`; `030 901820` where the operator gave the country.
void append_phone_forms(std::string_view spelled, Side side, std::vector<WrittenForm>& found);

/// `4111 1111 1111 1111`, `4111-1111-1111-1111`: groups of letters and digits that hold
/// a digit each, parted by spaces or hyphens.
void append_code_forms(std::string_view spelled, Side side, std::vector<WrittenForm>& found);

/// All of them; ranges can overlap.
std::vector<WrittenForm> written_forms(std::string_view spelled, Side side,
                                       std::optional<std::chrono::year_month_day> today);

/// No letter, digit or mark stands directly before (or at) the place.
bool word_ends_before(std::string_view spelled, std::size_t at);
bool word_begins_at(std::string_view spelled, std::size_t at);

}  // namespace agentlock
