#include "cli/report_html.hpp"

#include <array>
#include <cstdio>

namespace agentlock::cli::report {

Html& Html::operator<<(double coordinate) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f", coordinate);
  out_ << text.data();
  return *this;
}

Html& Html::data(const Excerpt& excerpt) {
  *this << "<bdi class=\"data\">";
  text(excerpt.text);
  *this << "</bdi>";
  return cut_note(excerpt);
}

Html& Html::exact(const Excerpt& excerpt) {
  *this << "<bdo dir=\"ltr\" class=\"data exact\">";
  text(excerpt.text);
  *this << "</bdo>";
  return cut_note(excerpt);
}

Html& Html::cut_note(const Excerpt& excerpt) {
  if (!excerpt.cut()) return *this;
  *this << " <span class=\"cut\">… ";
  text(size_words(excerpt.bytes - excerpt.text.size()));
  return *this << " more in the log</span>";
}

}  // namespace agentlock::cli::report
