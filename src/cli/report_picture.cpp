// The width is divided into columns, one for each stretch of time in which something
// was decided, and a gap of one column where time passed between two of them. So a
// log of a few seconds on two days shows both, at the scale of the seconds.

#include "cli/report_picture.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cli/report_words.hpp"

namespace agentlock::cli::report {
namespace {

constexpr double kWidth = 1'000;
constexpr double kPlotLeft = 134;
constexpr double kPlotRight = 1'000;
constexpr double kLaneHeight = 46;
constexpr double kTop = 8;
constexpr double kAxisHeight = 44;
constexpr double kWidestColumn = 44;
constexpr double kLabelWidth = 84;
constexpr std::int64_t kLongIdle = 20;  // in columns

struct Column {
  std::int64_t number = 0;
  double x = 0;
  const OverTime::Stretch* stretch = nullptr;
  bool idle_before = false;  ///< a gap that is much longer than it is drawn
};

std::uint64_t sum(const Outcomes& outcomes) {
  return std::accumulate(outcomes.begin(), outcomes.end(), std::uint64_t{0});
}

class Picture {
 public:
  Picture(Html& html, const Model& model) : html_(html), model_(model) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const auto as_lane = static_cast<Lane>(lane);
      const bool always = as_lane == Lane::kUser || as_lane == Lane::kAllowlist ||
                          as_lane == Lane::kPage || as_lane == Lane::kModel;
      if (always || sum(model.by_lane[lane]) > 0) lanes_.push_back(as_lane);
    }
    place_columns();
  }

  void draw() {
    const double bottom = kTop + kLaneHeight * static_cast<double>(lanes_.size());
    html_ << "<div class=\"scroll\"><svg class=\"picture\" viewBox=\"0 0 " << kWidth << " "
          << bottom + kAxisHeight
          << "\" role=\"img\" aria-labelledby=\"pt pd\"><title id=\"pt\">Decisions over time, by "
             "where the value came from</title><desc id=\"pd\">The table below has the same "
             "numbers.</desc>";
    for (std::size_t i = 0; i < lanes_.size(); ++i) draw_lane(i);
    for (const Column& column : columns_) draw_gap(column, bottom);
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      for (const Column& column : columns_) draw_cell(i, column);
    }
    draw_axis(bottom);
    html_ << "</svg></div>";
  }

 private:
  void place_columns() {
    std::optional<std::int64_t> last;
    double units = 0;
    for (const auto& [number, stretch] : model_.over_time.stretches()) {
      Column column{number, 0, &stretch};
      if (last && number - *last > 1) {
        column.idle_before = number - *last > kLongIdle;
        units += 1;
      }
      column.x = units + 0.5;
      units += 1;
      columns_.push_back(column);
      last = number;
      for (const Outcomes& outcomes : stretch.counts) {
        most_ = std::max(most_, *std::ranges::max_element(outcomes));
      }
    }
    pitch_ = std::min(kWidestColumn, (kPlotRight - kPlotLeft - 40) / std::max(units, 1.0));
    for (Column& column : columns_) column.x = kPlotLeft + 20 + column.x * pitch_;
  }

  double lane_middle(std::size_t index) const {
    return kTop + kLaneHeight * (static_cast<double>(index) + 0.5);
  }

  void draw_lane(std::size_t index) {
    const double y = lane_middle(index);
    html_ << "<text class=\"lane\" x=\"" << 0 << "\" y=\"" << y - 1 << "\">";
    html_.text(lane_name(lanes_[index]));
    html_ << "</text><text class=\"what\" x=\"" << 0 << "\" y=\"" << y + 13 << "\">";
    const Outcomes& outcomes = model_.by_lane[static_cast<std::size_t>(lanes_[index])];
    html_.text(grouped(sum(outcomes)));
    html_ << "</text><line class=\"rail\" x1=\"" << kPlotLeft << "\" x2=\"" << kPlotRight
          << "\" y1=\"" << y << "\" y2=\"" << y << "\"/>";
  }

  void draw_gap(const Column& column, double bottom) {
    if (!column.idle_before) return;
    const double x = column.x - pitch_;
    html_ << "<line class=\"gap\" x1=\"" << x << "\" x2=\"" << x << "\" y1=\"" << kTop << "\" y2=\""
          << bottom << "\"/>";
  }

  // Area, not width, is what the eye compares.
  double radius(std::uint64_t count) const {
    const double widest = std::clamp(pitch_ * 0.7, 3.5, 11.0);
    const double scale = widest / std::sqrt(static_cast<double>(std::max<std::uint64_t>(most_, 2)));
    return std::max(scale * std::sqrt(static_cast<double>(count)), 3.0);
  }

  void draw_cell(std::size_t index, const Column& column) {
    const Outcomes& outcomes = column.stretch->counts[static_cast<std::size_t>(lanes_[index])];
    const bool several = std::ranges::count(outcomes, 0U) < 2;
    for (std::size_t i = 0; i < kOutcomes; ++i) {
      if (outcomes[i] == 0) continue;
      const auto outcome = static_cast<Outcome>(i);
      const double shift = several ? (outcome == Outcome::kAllowed ? -8.0 : 8.0) : 0.0;
      draw_glyph(outcome, column.x, lane_middle(index) + shift, radius(outcomes[i]));
      html_ << "<title>";
      html_.text(grouped(outcomes[i]) + ' ' + std::string(outcome_words(outcome)) + ", " +
                 std::string(lane_name(lanes_[index])) + ", " + when(column));
      html_ << "</title></g>";
    }
  }

  void draw_glyph(Outcome outcome, double x, double y, double r) {
    if (outcome == Outcome::kAllowed) {
      html_ << "<g class=\"allow\"><circle cx=\"" << x << "\" cy=\"" << y << "\" r=\"" << r
            << "\"/>";
    } else if (outcome == Outcome::kDenied) {
      const double d = r * 1.2;
      html_ << "<g class=\"deny\"><path d=\"M" << x << " " << y - d << " L" << x + d << " " << y
            << " L" << x << " " << y + d << " L" << x - d << " " << y << " Z\"/>";
    } else {
      html_ << "<g class=\"odd\"><rect x=\"" << x - r << "\" y=\"" << y - r << "\" width=\""
            << 2 * r << "\" height=\"" << 2 * r << "\"/>";
    }
  }

  Moment begin(const Column& column) const {
    return *Moment::of(static_cast<double>(column.number) * model_.over_time.width());
  }

  std::string when(const Column& column) const {
    return begin(column).date() + ' ' + begin(column).time() + " UTC";
  }

  // A label wherever there is room for one, and the date where it is a new one.
  void draw_axis(double bottom) {
    html_ << "<line class=\"axis\" x1=\"" << kPlotLeft << "\" x2=\"" << kPlotRight << "\" y1=\""
          << bottom << "\" y2=\"" << bottom << "\"/>";
    double free_from = kPlotLeft - 20;
    std::string date;
    for (const Column& column : columns_) {
      if (column.x - kLabelWidth / 2 < free_from && !date.empty()) continue;
      const Moment moment = begin(column);
      const double label = std::min(column.x, kWidth - kLabelWidth / 2);
      html_ << "<line class=\"axis\" x1=\"" << column.x << "\" x2=\"" << column.x << "\" y1=\""
            << bottom << "\" y2=\"" << bottom + 5 << "\"/><text class=\"tick\" x=\"" << label
            << "\" y=\"" << bottom + 19 << "\">";
      html_.text(model_.over_time.width() < 0.2 ? moment.time() : moment.minutes());
      html_ << "</text>";
      if (moment.date() != date) {
        date = moment.date();
        html_ << "<text class=\"tick day\" x=\"" << label << "\" y=\"" << bottom + 34 << "\">";
        html_.text(date);
        html_ << "</text>";
      }
      free_from = column.x + kLabelWidth / 2 + 8;
    }
  }

  Html& html_;
  const Model& model_;
  std::vector<Lane> lanes_;
  std::vector<Column> columns_;
  std::uint64_t most_ = 0;
  double pitch_ = kWidestColumn;
};

void draw_table(Html& html, const Model& model) {
  html << "<table class=\"lanes\"><thead><tr><th scope=\"col\">Where the value came from</th>"
          "<th scope=\"col\" class=\"n\">Allowed</th><th scope=\"col\" class=\"n\">Denied</th>";
  const bool neither = model.decisions[2] > 0;
  if (neither) html << "<th scope=\"col\" class=\"n\">Neither</th>";
  html << "</tr></thead><tbody>";
  for (std::size_t i = 0; i < kLanes; ++i) {
    const Outcomes& outcomes = model.by_lane[i];
    if (sum(outcomes) == 0) continue;
    html << "<tr><th scope=\"row\"><span class=\"channel\">";
    html.text(lane_name(static_cast<Lane>(i)));
    html << "</span> ";
    html.text(lane_words(static_cast<Lane>(i)));
    html << "</th><td class=\"n\">";
    html.text(grouped(outcomes[0]));
    html << "</td><td class=\"n\">";
    html.text(grouped(outcomes[1]));
    if (neither) {
      html << "</td><td class=\"n\">";
      html.text(grouped(outcomes[2]));
    }
    html << "</td></tr>";
  }
  html << "</tbody></table>";
}

}  // namespace

void draw_picture(Html& html, const Model& model) {
  html << "<section class=\"card\" aria-labelledby=\"over-time\"><h2 id=\"over-time\">Decisions "
          "over time, by where the value came from</h2>";
  if (model.over_time.stretches().empty()) {
    html << "<p class=\"quiet\">There is no decision with a time in this log.</p></section>";
    return;
  }
  html << "<p class=\"legend\"><span class=\"key allow\">allowed</span> <span class=\"key "
          "deny\">denied</span> ";
  if (model.decisions[2] > 0) html << "<span class=\"key odd\">neither</span> ";
  html << "<span class=\"quiet\">Times are UTC. Where the line is dashed, "
          "idle time is cut short.</span></p>";
  Picture(html, model).draw();
  draw_table(html, model);
  html << "</section>";
}

}  // namespace agentlock::cli::report
