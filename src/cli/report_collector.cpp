// Three kinds of line. What a person came for (decisions, questions and answers, the
// operator's words, starts of Chromium, and whatever does not hold) becomes an entry.
// What surrounds it (pages that were read, events that this version does not know) is
// summed up between two entries. The rest belongs to its session as a whole.
//
// Entries are kept in a window: the last ones, or the first ones from a line on. What
// falls out of it is counted, everywhere, since the numbers at the top of the page
// must be those of the whole log.

#include "cli/report_collector.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "cli/report_events.hpp"
#include "cli/report_members.hpp"

namespace agentlock::cli::report {
namespace {

constexpr std::size_t kMostKinds = 6;        // between two entries
constexpr std::size_t kMostWays = 6;         // of reading
constexpr std::size_t kMostAllowlist = 50;   // origins of a session
constexpr std::size_t kMostChromiums = 5;    // versions
constexpr std::size_t kMostUnreadable = 20;  // lines

bool is_operators(const Json& line) {
  const std::string channel = string_member(line, "channel");
  return channel == "USER" || channel == "USER_CONFIRMED";
}

Place place_of(const JudgedLine& line) {
  if (line.json != nullptr) return read_place(*line.json, line.number);
  Place place;
  place.line = line.number;
  return place;
}

void add_read(Between& between, const Json& line) {
  const Excerpt channel = text_member(line, "channel");
  const Excerpt origin = text_member(line, "origin");
  auto found = std::ranges::find_if(between.reads, [&](const Between::Read& read) {
    return read.origin.text == origin.text && read.channel.text == channel.text;
  });
  if (found == between.reads.end()) {
    if (between.reads.size() >= kMostKinds) {
      ++between.more;
      return;
    }
    between.reads.push_back({.channel = channel, .origin = origin, .ways = {}});
    found = between.reads.end() - 1;
  }
  ++found->texts;
  found->bytes += count_member(line, "bytes");
  const Excerpt way = text_member(line, "source");
  if (!way.empty() && found->ways.size() < kMostWays) found->ways.insert(way.text);
}

void add_other(Between& between, const Json& line, const Place& place) {
  const Excerpt event = text_member(line, "event");
  const auto found = std::ranges::find_if(
      between.others, [&](const Between::Other& other) { return other.event.text == event.text; });
  if (found != between.others.end()) {
    ++found->count;
  } else if (between.others.size() < kMostKinds) {
    between.others.push_back({event, 1, place, read_other(line)});
  } else {
    ++between.more;
  }
}

}  // namespace

Collector::Collector(Window window) : book_(static_cast<std::size_t>(window.most)) {
  model_.window = window;
}

void Collector::take(const JudgedLine& line) {
  const Place place = place_of(line);
  if (line.session.empty()) {
    take_unreadable(line, place);
    return;
  }
  Session& session = book_.touch(line.session, line.number);
  if (line.state == LineState::kFaulty) session.broken = true;
  if (line.json != nullptr) count(line, session, place.moment);
  if (auto entry = entry_of(line, place)) {
    keep(std::move(*entry), session);
  } else if (line.json != nullptr) {
    note_between(line, session, place);
  }
}

void Collector::take_unreadable(const JudgedLine& line, const Place& place) {
  if (model_.unreadable.size() >= kMostUnreadable) {
    ++model_.more_unreadable;
    return;
  }
  model_.unreadable.push_back({place, line.byte, line.state, excerpt(line.text)});
}

void Collector::count(const JudgedLine& line, Session& session,
                      const std::optional<Moment>& moment) {
  const Json& json = *line.json;
  if (moment) {
    session.first = session.first ? std::min(*session.first, *moment) : *moment;
    session.last = session.last ? std::max(*session.last, *moment) : *moment;
    model_.first = model_.first ? std::min(*model_.first, *moment) : *moment;
    model_.last = model_.last ? std::max(*model_.last, *moment) : *moment;
  }
  if (const Json* back = member(json, "clock_back_s"); back != nullptr && back->is_number()) {
    session.clock_back += back->get<double>();
  }
  const std::string event = string_member(json, "event");
  if (event == "session_start") take_start(line, session);
  if (event == "elicit_request") {
    ++session.asked;
    ++model_.asked;
  }
  if (event == "session_end") {
    session.ended = true;
    session.end_why = text_member(json, "why");
  }
  if (line.state == LineState::kHolds && (event == "checkpoint" || event == "session_end")) {
    session.vouched_seq = count_member(json, "seq");
  }
}

void Collector::take_start(const JudgedLine& line, Session& session) {
  const Json& json = *line.json;
  session.start_seen = true;
  session.version = text_member(json, "version");
  session.key_id = text_member(json, "signing_key_id");
  session.config = members_in(json, {"session", "seq", "ts", "iso", "event", "prev", "hash"});
}

void Collector::note_between(const JudgedLine& line, Session& session, const Place& place) {
  const Json& json = *line.json;
  const std::string event = string_member(json, "event");
  if (event == "session_start" || event == "session_end" || event == "checkpoint") return;
  if (event != "provenance") {
    add_other(session.pending, json, place);
    return;
  }
  const bool is_allowlist = string_member(json, "channel") == "ALLOWLIST";
  if (is_allowlist && session.allowlist.size() < kMostAllowlist) {
    session.allowlist.push_back(text_member(json, "origin"));
  } else if (is_allowlist) {
    ++session.more_allowlist;
  }
  // Origins that the session began with say nothing about when.
  const bool decided = session.decisions != Outcomes{};
  if (!is_allowlist || decided) add_read(session.pending, json);
}

std::optional<Entry> Collector::entry_of(const JudgedLine& line, const Place& place) {
  const bool readable = line.json != nullptr;
  const std::string event = readable ? string_member(*line.json, "event") : "";
  Entry entry;
  if (event == "decision") {
    entry.decision = read_decision(*line.json, line.receipt);
    const Decision& decision = *entry.decision;
    const auto outcome = static_cast<std::size_t>(decision.outcome);
    Session& session = *book_.find(line.session);
    ++session.decisions[outcome];
    ++model_.decisions[outcome];
    ++model_.by_lane[static_cast<std::size_t>(decision.lane)][outcome];
    if (place.moment) model_.over_time.add(*place.moment, decision.lane, decision.outcome);
    if (decision.fail_open) {
      ++session.fail_open;
      ++model_.fail_open;
    }
  } else if (event == "elicit_request" || event == "elicit_result") {
    entry.question = read_question(*line.json);
  } else if (event == "provenance" && is_operators(*line.json)) {
    entry.words = read_words(*line.json);
  } else if (event == "browser") {
    entry.browser = read_browser(*line.json);
    const Excerpt& version = entry.browser->version;
    const bool known = std::ranges::any_of(
        model_.chromiums, [&](const Excerpt& one) { return one.text == version.text; });
    if (!known && model_.chromiums.size() < kMostChromiums) {
      model_.chromiums.push_back(version);
    } else if (!known) {
      ++model_.more_chromiums;
    }
  } else if (line.state != LineState::kFaulty && line.state != LineState::kTorn) {
    return std::nullopt;
  }
  entry.session = line.session;
  entry.place = place;
  entry.state = line.state;
  entry.fault = line.fault;
  if (readable) entry.event = text_member(*line.json, "event");
  if (line.state == LineState::kFaulty || line.state == LineState::kTorn) {
    entry.raw = excerpt(line.text, kLongText);
  }
  return entry;
}

bool Collector::is_shown(const Place& place) const {
  const Window& window = model_.window;
  if (window.from == 0) return true;
  return place.line >= window.from && model_.entries.size() < window.most;
}

void Collector::keep(Entry entry, Session& session) {
  entry.before = std::exchange(session.pending, {});
  if (!is_shown(entry.place)) {
    ++session.left_out;
    if (entry.place.line < model_.window.from) {
      ++model_.left_out_before;
      model_.last_left_out_line = entry.place.line;
    } else if (model_.left_out_after++ == 0) {
      model_.next_line = entry.place.line;
    }
    return;
  }
  ++session.kept;
  model_.entries.push_back(std::move(entry));
  if (model_.window.from != 0 || model_.entries.size() <= model_.window.most) return;
  const Entry& oldest = model_.entries.front();
  if (Session* its = book_.find(oldest.session)) {
    --its->kept;
    ++its->left_out;
  }
  ++model_.left_out_before;
  model_.last_left_out_line = oldest.place.line;
  model_.entries.pop_front();
}

Model Collector::finish(VerifyReport report) {
  model_.verified = std::move(report);
  model_.sessions = book_.take();
  model_.idle_sessions = model_.verified.sessions -
                         std::min<std::uint64_t>(model_.verified.sessions, model_.sessions.size());
  std::unordered_map<std::string, Session*> by_name;
  const auto& fault = model_.verified.first_fault;
  for (Session& session : model_.sessions) {
    by_name.emplace(session.name, &session);
    // Some faults are brought to light by later lines, or by the log's end.
    if (fault && fault->session == session.name) session.broken = true;
  }
  for (const Entry& entry : model_.entries) {
    by_name.at(entry.session)->entries.push_back(&entry);
    if (!entry.decision || entry.decision->provenance_id.empty()) continue;
    model_.sources.try_emplace({entry.session, entry.decision->provenance_id}, std::nullopt);
  }
  return std::move(model_);
}

}  // namespace agentlock::cli::report
