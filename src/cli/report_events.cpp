#include "cli/report_events.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "agentlock/receipt.hpp"
#include "cli/report_members.hpp"

namespace agentlock::cli::report {
namespace {

constexpr std::size_t kMostProvenanceId = 64;
constexpr std::size_t kQuoteAround = 160;
constexpr std::size_t kVersionText = 80;

const Json& object_member(const Json& object, std::string_view key) {
  static const Json kNone = Json::object();
  const Json* value = member(object, key);
  return value != nullptr && value->is_object() ? *value : kNone;
}

Outcome outcome_of(const Json& line) {
  const std::string said = string_member(line, "decision");
  if (said == "allow") return Outcome::kAllowed;
  return said == "deny" ? Outcome::kDenied : Outcome::kOther;
}

Lane lane_of(const Json& line) {
  const std::string channel = string_member(line, "channel");
  const bool by_server = string_member(line, "decided_by").starts_with("server:");
  // The server's own rules decide before anybody asks where a value came from, and
  // MODEL is then only what a verdict begins with.
  if (channel == "MODEL") {
    return by_server && member(line, "origin") == nullptr ? Lane::kUntraced : Lane::kModel;
  }
  if (channel == "USER") return Lane::kUser;
  if (channel == "USER_CONFIRMED") return Lane::kConfirmed;
  if (channel == "ALLOWLIST") return Lane::kAllowlist;
  if (channel == "PAGE") return Lane::kPage;
  return channel == "UNCLASSIFIED" ? Lane::kUntraced : Lane::kOther;
}

// What is signed and what the line says besides must be the same decision.
std::vector<std::string> differences(const Json& line, const Json& receipt) {
  std::vector<std::string> differs;
  const auto compare = [&](const char* in_line, const char* in_receipt) {
    if (string_member(line, in_line) != string_member(receipt, in_receipt)) {
      differs.emplace_back(in_line);
    }
  };
  compare("decision", "decision");
  compare("action", "tool_name");
  compare("reason", "reason");
  const auto parameters = parse_parameters(to_line(object_member(line, "parameters")));
  if (!parameters || parameters_hash(*parameters) != string_member(receipt, "parameters_hash")) {
    differs.emplace_back("parameters");
  }
  return differs;
}

ReceiptView read_receipt(const Json& line, const std::optional<ReceiptCheck>& check) {
  ReceiptView view;
  view.check = check.value_or(ReceiptCheck{ReceiptCheck::State::kUnchecked, "not looked at"});
  const Json& receipt = object_member(line, "receipt");
  view.id = text_member(receipt, "receipt_id");
  view.signature = text_member(receipt, "signature");
  view.key_id = text_member(receipt, "signing_key_id");
  if (!receipt.empty()) view.differs = differences(line, receipt);
  return view;
}

// The first of the members, or of those of the objects inside, that is there.
Excerpt first_text(const Json& line, std::initializer_list<const char*> objects,
                   std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    if (auto text = text_member(line, key, kLongText); !text.empty()) return text;
    for (const char* object : objects) {
      auto text = text_member(object_member(line, object), key, kLongText);
      if (!text.empty()) return text;
    }
  }
  return {};
}

std::optional<Source::Quote> quote_of(const Json& line, std::string_view token) {
  const Json* content = member(line, "content");
  if (content == nullptr || !content->is_string() || token.empty()) return std::nullopt;
  const auto& text = content->get_ref<const std::string&>();
  // Tokens are lower case; ASCII is enough to find the place for a reader.
  const auto same = [](char in_text, char in_token) {
    return (in_text >= 'A' && in_text <= 'Z' ? static_cast<char>(in_text | 0x20) : in_text) ==
           in_token;
  };
  const auto found = std::search(text.begin(), text.end(), token.begin(), token.end(), same);
  if (found == text.end()) return std::nullopt;
  const auto at = static_cast<std::size_t>(found - text.begin());
  std::size_t begin = at > kQuoteAround ? at - kQuoteAround : 0;
  while (begin < at && (static_cast<unsigned char>(text[begin]) & 0xC0U) == 0x80U) ++begin;
  const std::string_view whole = text;
  const std::string_view after = whole.substr(at + token.size());
  return Source::Quote{
      .before = excerpt(whole.substr(begin, at - begin), kQuoteAround),
      .match = excerpt(whole.substr(at, token.size())),
      .after = excerpt(excerpt(after, kQuoteAround).text, kQuoteAround),
  };
}

}  // namespace

Place read_place(const Json& line, std::uint64_t number) {
  Place place;
  place.line = number;
  place.seq = count_member(line, "seq");
  if (const Json* ts = member(line, "ts"); ts != nullptr && ts->is_number()) {
    place.moment = Moment::of(ts->get<double>());
  }
  return place;
}

Decision read_decision(const Json& line, const std::optional<ReceiptCheck>& check) {
  Decision decision;
  decision.outcome = outcome_of(line);
  decision.said = text_member(line, "decision");
  decision.action = text_member(line, "action");
  if (const Json* parameters = member(line, "parameters")) {
    decision.parameters = members_in(*parameters, {}, kLongText);
  }
  decision.href = text_member(line, "href", kLongText);
  decision.origin = text_member(line, "origin");
  decision.channel = text_member(line, "channel");
  decision.decided_by = text_member(line, "decided_by");
  decision.server_rule = string_member(line, "decided_by").starts_with("server:");
  decision.reason = text_member(line, "reason");
  decision.detail = text_member(line, "detail", kLongText);
  decision.cause = text_member(line, "cause");
  decision.confirmation = text_member(line, "confirmation");
  decision.audit_id = text_member(line, "audit_id");
  decision.fail_open = true_member(line, "fail_open");
  decision.lane = lane_of(line);
  const Json& evidence = object_member(line, "lineage_evidence");
  decision.element = text_member(evidence, "element");
  decision.matched_kind = text_member(evidence, "matched_kind");
  decision.matched_token = text_member(evidence, "matched_token");
  const std::string id = string_member(evidence, "untrusted_provenance_id");
  if (id.size() <= kMostProvenanceId) decision.provenance_id = id;
  decision.evidence = members_in(evidence);
  if (const Json* basis = member(line, "grant_basis")) decision.basis = members_in(*basis);
  decision.further =
      members_in(line, {"session",     "seq",      "ts",     "iso",          "event",
                        "prev",        "hash",     "action", "parameters",   "decision",
                        "decided_by",  "channel",  "reason", "confirmation", "href",
                        "origin",      "cause",    "detail", "fail_open",    "lineage_evidence",
                        "grant_basis", "audit_id", "receipt"});
  decision.receipt = read_receipt(line, check);
  return decision;
}

Question read_question(const Json& line) {
  Question question;
  question.answer = string_member(line, "event") == "elicit_result";
  question.message = first_text(line, {"params", "request"}, {"message"});
  if (question.answer) {
    question.choice = first_text(line, {"result", "response"}, {"action", "confirmation"});
    const Json& result = object_member(line, "result");
    const Json& content = object_member(result.empty() ? line : result, "content");
    const Excerpt way = text_member(content, "choice");
    if (!way.empty()) {
      question.choice = excerpt(question.choice.text + ", " + way.text);
    }
  }
  question.members = read_other(line);
  return question;
}

OperatorWords read_words(const Json& line) {
  return {.channel = text_member(line, "channel"),
          .way = text_member(line, "source"),
          .content = text_member(line, "content", kLongText),
          .bytes = count_member(line, "bytes")};
}

BrowserStart read_browser(const Json& line) {
  const Json* sandboxed = member(line, "sandboxed");
  return {.version = text_member(line, "version", kVersionText),
          .sandboxed = sandboxed == nullptr || *sandboxed != false,
          .restarted = true_member(line, "restarted")};
}

Members read_other(const Json& line) {
  return members_in(line, {"session", "seq", "ts", "iso", "event", "prev", "hash"});
}

Source read_source(const Json& line, Place place, const std::set<std::string>& tokens) {
  Source source{.place = place,
                .channel = text_member(line, "channel"),
                .way = text_member(line, "source"),
                .origin = text_member(line, "origin"),
                .bytes = count_member(line, "bytes"),
                .content_hash = text_member(line, "content_hash"),
                .quotes = {}};
  for (const std::string& token : tokens) {
    if (auto quote = quote_of(line, token)) source.quotes.emplace(token, std::move(*quote));
  }
  return source;
}

}  // namespace agentlock::cli::report
