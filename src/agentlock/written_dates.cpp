#include <algorithm>
#include <array>
#include <map>

#include <unicode/dtfmtsym.h>
#include <unicode/reldatefmt.h>
#include <unicode/unistr.h>

#include "agentlock/spelling.hpp"
#include "agentlock/written_forms.hpp"

namespace agentlock {
namespace {

using std::chrono::day;
using std::chrono::days;
using std::chrono::month;
using std::chrono::sys_days;
using std::chrono::year;
using std::chrono::year_month_day;

constexpr std::array kLocales = {"en", "de", "fr", "es", "it", "pt", "nl", "pl", "sv", "ru"};

// What ICU calls months, weekdays and the days around today in these languages, in
// the spelling that texts are compared in.
struct Names {
  std::map<std::string, unsigned, std::less<>> months;    // 1 to 12
  std::map<std::string, unsigned, std::less<>> weekdays;  // 0 is Sunday
  std::map<std::string, int, std::less<>> relative;       // days from today
};

std::string name_of(const icu::UnicodeString& text) {
  std::string utf8;
  text.toUTF8String(utf8);
  std::string spelled = spelling(utf8);
  if (spelled.ends_with('.')) spelled.pop_back();
  return spelled;
}

void add_symbols(const char* locale, Names& names) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::DateFormatSymbols symbols(icu::Locale(locale), status);
  if (U_FAILURE(status)) return;
  using Symbols = icu::DateFormatSymbols;
  for (const auto context : {Symbols::FORMAT, Symbols::STANDALONE}) {
    for (const auto width : {Symbols::WIDE, Symbols::ABBREVIATED}) {
      std::int32_t count = 0;
      const icu::UnicodeString* texts = symbols.getMonths(count, context, width);
      for (std::int32_t i = 0; i < std::min(count, 12); ++i) {
        names.months.emplace(name_of(texts[i]), static_cast<unsigned>(i) + 1);
      }
    }
    std::int32_t count = 0;
    const icu::UnicodeString* texts = symbols.getWeekdays(count, context, Symbols::WIDE);
    for (std::int32_t i = 1; i < count; ++i) {  // the first one is empty
      names.weekdays.emplace(name_of(texts[i]), static_cast<unsigned>(i) - 1);
    }
  }
}

void add_relative(const char* locale, Names& names) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::RelativeDateTimeFormatter format(icu::Locale(locale), status);
  if (U_FAILURE(status)) return;
  for (const auto& [direction, offset] :
       {std::pair{UDAT_DIRECTION_LAST, -1}, {UDAT_DIRECTION_THIS, 0}, {UDAT_DIRECTION_NEXT, 1}}) {
    icu::UnicodeString text;
    format.format(direction, UDAT_ABSOLUTE_DAY, text, status);
    if (U_SUCCESS(status)) names.relative.emplace(name_of(text), offset);
  }
}

const Names& names() {
  static const Names all = [] {
    Names made;
    for (const char* locale : kLocales) {
      add_symbols(locale, made);
      add_relative(locale, made);
    }
    // May, and other names that are words of another kind, count only beside a day.
    return made;
  }();
  return all;
}

std::string form_of(year_month_day date) {
  const auto two = [](unsigned number) {
    return (number < 10 ? "0" : "") + std::to_string(number);
  };
  return "date:" + std::to_string(static_cast<int>(date.year())) + '-' +
         two(static_cast<unsigned>(date.month())) + '-' + two(static_cast<unsigned>(date.day()));
}

void keep(int y, unsigned m, unsigned d, std::vector<std::string>& forms) {
  const year_month_day date{year(y), month(m), day(d)};
  if (!date.ok()) return;
  std::string form = form_of(date);
  if (std::ranges::find(forms, form) == forms.end()) forms.push_back(std::move(form));
}

struct Number {
  unsigned value = 0;
  std::size_t digits = 0;
  std::size_t end = 0;
};

Number number_at(std::string_view text, std::size_t at) {
  Number number{0, 0, at};
  while (number.end < text.size() && is_ascii_digit(text[number.end]) && number.digits < 5) {
    number.value = number.value * 10 + static_cast<unsigned>(text[number.end] - '0');
    ++number.digits;
    ++number.end;
  }
  return number;
}

// 2026-03-14, 14.3.2026, 03/14/26
void append_numeric(std::string_view text, std::vector<WrittenForm>& found) {
  for (std::size_t at = find_decimal_digit(text, 0); at < text.size();
       at = find_decimal_digit(text, at)) {
    const std::size_t begin = at;
    const Number first = number_at(text, at);
    at = std::max(first.end, begin + code_point_at(text, begin).length);
    if (first.digits == 0 || first.end >= text.size()) continue;
    const char separator = text[first.end];
    if (separator != '-' && separator != '/' && separator != '.') continue;
    const Number second = number_at(text, first.end + 1);
    if (second.digits == 0 || second.digits > 2 || second.end >= text.size()) continue;
    if (text[second.end] != separator) continue;
    const Number third = number_at(text, second.end + 1);
    const bool stands_alone = word_ends_before(text, begin) && !word_begins_at(text, third.end);
    // "_" parts the words of a file name.
    const bool in_name =
        (begin == 0 || text[begin - 1] == '_' || word_ends_before(text, begin)) &&
        (third.end == text.size() || text[third.end] == '_' || !word_begins_at(text, third.end));
    if (!stands_alone && !in_name) continue;
    std::vector<std::string> forms;
    if (first.digits == 4 && third.digits >= 1 && third.digits <= 2) {
      keep(static_cast<int>(first.value), second.value, third.value, forms);
    } else if (first.digits <= 2 && (third.digits == 4 || third.digits == 2)) {
      const int y = static_cast<int>(third.value) + (third.digits == 2 ? 2000 : 0);
      keep(y, second.value, first.value, forms);
      // A full stop never stands between a month and its day.
      if (separator != '.') keep(y, first.value, second.value, forms);
    }
    if (forms.empty()) continue;
    found.push_back({{begin, third.end}, std::move(forms)});
    at = third.end;
  }
}

struct Part {
  TextRange range;
  unsigned number = 0;
  std::size_t digits = 0;
};

// A day of a month: 14, 14th, 14.
Part day_part(std::string_view text, TextRange word) {
  const Number number = number_at(text, word.begin);
  const std::string_view rest = text.substr(number.end, word.end - number.end);
  const bool ordinal = rest.empty() || rest == "st" || rest == "nd" || rest == "rd" || rest == "th";
  if (number.digits == 0 || number.digits > 2 || !ordinal) return {};
  return {word, number.value, number.digits};
}

Part year_part(std::string_view text, TextRange word) {
  const Number number = number_at(text, word.begin);
  if (number.digits != 4 || number.end != word.end) return {};
  return {word, number.value, number.digits};
}

// 14 March 2026, 14. März, March 14th, 2026
void append_named(std::string_view text, std::optional<year_month_day> today,
                  std::vector<WrittenForm>& found) {
  std::vector<TextRange> words = words_of(text);
  // "of" and "de" between the day and the month say nothing.
  std::erase_if(words, [&](TextRange word) {
    const std::string_view name = piece(text, word);
    return name == "of" || name == "de" || name == "the";
  });
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto named = names().months.find(piece(text, words[i]));
    if (named == names().months.end()) continue;
    Part on_day = i > 0 ? day_part(text, words[i - 1]) : Part{};
    std::size_t last = i;
    std::size_t first = on_day.digits > 0 ? i - 1 : i;
    if (on_day.digits == 0 && i + 1 < words.size()) {
      on_day = day_part(text, words[i + 1]);
      last = i + 1;
    }
    if (on_day.digits == 0) continue;
    std::vector<std::string> forms;
    const Part in_year = last + 1 < words.size() ? year_part(text, words[last + 1]) : Part{};
    if (in_year.digits > 0) {
      keep(static_cast<int>(in_year.number), named->second, on_day.number, forms);
      ++last;
    } else if (today) {
      keep(static_cast<int>(today->year()), named->second, on_day.number, forms);
      keep(static_cast<int>(today->year()) + 1, named->second, on_day.number, forms);
    }
    if (!forms.empty()) found.push_back({{words[first].begin, words[last].end}, std::move(forms)});
  }
}

// today, tomorrow; Friday is the next one, or the one after
void append_relative(std::string_view text, year_month_day today, std::vector<WrittenForm>& found) {
  for (const TextRange range : words_of(text)) {
    const std::string_view word = piece(text, range);
    std::vector<std::string> forms;
    if (const auto at = names().relative.find(word); at != names().relative.end()) {
      forms.push_back(form_of(sys_days(today) + days(at->second)));
    }
    if (const auto at = names().weekdays.find(word); at != names().weekdays.end()) {
      const std::chrono::weekday wanted(at->second);
      const days ahead = wanted - std::chrono::weekday(sys_days(today));
      forms.push_back(form_of(sys_days(today) + ahead));
      forms.push_back(form_of(sys_days(today) + ahead + days(7)));
    }
    if (!forms.empty()) found.push_back({range, std::move(forms)});
  }
}

}  // namespace

void append_date_forms(std::string_view spelled, Side side, std::optional<year_month_day> today,
                       std::vector<WrittenForm>& found) {
  append_numeric(spelled, found);
  append_named(spelled, today, found);
  if (side == Side::kOperator && today) append_relative(spelled, *today, found);
}

}  // namespace agentlock
