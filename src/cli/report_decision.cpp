#include <algorithm>

#include "cli/report_page.hpp"
#include "cli/report_words.hpp"

namespace agentlock::cli::report {
namespace {

void write_target(Html& html, const Decision& decision) {
  html << "<div class=\"target\">";
  bool href_shown = false;
  for (const Member& parameter : decision.parameters.list) {
    html << "<p><span class=\"k\">";
    html.data(parameter.path);
    if (parameter.value.cut()) {
      html << "<br><span class=\"cut\">";
      html.text(size_words(parameter.value.text.size()) + " of " +
                size_words(parameter.value.bytes));
      html << "</span>";
    }
    html << "</span><span>";
    if (parameter.value.empty()) {
      html << "<span class=\"quiet\">(empty)</span>";
    } else {
      html.exact(parameter.value);
    }
    html << "</span></p>";
    href_shown = href_shown || parameter.value.text == decision.href.text;
  }
  if (decision.parameters.list.empty()) {
    html << "<p class=\"quiet\">no parameters</p>";
  }
  if (!decision.href.empty() && !href_shown) {
    html << "<p><span class=\"k\">leads to</span><span>";
    html.exact(decision.href);
    html << "</span></p>";
  }
  html << "</div>";
}

void write_quote(Html& html, const Source::Quote& quote) {
  html << "<span class=\"quote\">… ";
  html.data(quote.before);
  html << "<mark>";
  html.data(quote.match);
  html << "</mark>";
  html.data(quote.after);
  html << " …</span>";
}

// The text that was read, when and how: the line that the evidence cites.
void write_source(Html& html, const Model& model, const Entry& entry) {
  const std::string& id = entry.decision->provenance_id;
  if (id.empty()) return;
  const auto found = model.sources.find({entry.session, id});
  const Source* source = found != model.sources.end() && found->second ? &*found->second : nullptr;
  if (source == nullptr || source->place.line >= entry.place.line) {
    html << "<br><b class=\"bad-word\">The text that it cites (";
    html.data(excerpt(id));
    html << ") is not in the log before it.</b>";
    return;
  }
  html << "<br>It stands in what ";
  html.data(source->way);
  html << " read from ";
  html.exact(source->origin);
  if (source->place.moment) {
    html << " at <time datetime=\"";
    html.text(source->place.moment->machine());
    html << "\">";
    html.text(source->place.moment->time());
    html << "</time>";
    if (entry.place.moment && *entry.place.moment >= *source->place.moment) {
      html << ", ";
      html.text(duration_words(entry.place.moment->seconds() - source->place.moment->seconds()));
      html << " before";
    }
  }
  html << " <span class=\"quiet\">(";
  write_place(html, source->place);
  html << ", ";
  html.text(size_words(source->bytes));
  html << ")</span>";
  if (source->origin.text != entry.decision->origin.text) {
    html << " <b class=\"bad-word\">That is another origin than the decision names.</b>";
  }
  const auto quote = source->quotes.find(entry.decision->matched_token.text);
  if (quote != source->quotes.end()) write_quote(html, quote->second);
}

void write_came_from(Html& html, const Model& model, const Entry& entry) {
  const Decision& decision = *entry.decision;
  html << "<dt>Came from</dt><dd><span class=\"channel\">";
  html.data(decision.channel);
  html << "</span> ";
  if (decision.lane == Lane::kUntraced && decision.server_rule) {
    html << "not looked at: a rule of the server came first";
  } else if (decision.lane == Lane::kUntraced) {
    html << "no channel accounts for it";
  } else {
    html.text(lane_words(decision.lane));
  }
  if (!decision.origin.empty()) {
    html << " of ";
    html.exact(decision.origin);
  }
  if (!decision.element.empty()) {
    html << ", element ";
    html.data(decision.element);
  }
  write_source(html, model, entry);
  html << "</dd>";
}

void write_why(Html& html, const Decision& decision) {
  html << "<dt>Why</dt><dd>";
  if (decision.fail_open) {
    html << "<b class=\"part-word\">Let through although nothing accounts for it (fail "
            "open).</b> ";
  }
  const std::string_view cause = cause_words(decision.cause.text);
  if (!cause.empty()) {
    html.text(std::string(cause));
    html << " ";
  } else if (!decision.cause.empty()) {
    html << "Cause: ";
    html.data(decision.cause);
    html << ". ";
  }
  if (decision.outcome == Outcome::kAllowed && decision.cause.empty()) {
    html.text(grant_words(decision.lane));
    html << " ";
  }
  if (!decision.detail.empty()) {
    html << "<span class=\"prose\">";
    html.data(decision.detail);
    html << "</span> ";
  }
  if (!decision.matched_token.empty()) {
    html << "Matched: ";
    html.exact(decision.matched_token);
    if (!decision.matched_kind.empty()) {
      html << " (";
      html.data(decision.matched_kind);
      html << ")";
    }
    html << ". ";
  }
  for (const Member& basis : decision.basis.list) {
    html << "<span class=\"quiet\">";
    html.data(basis.path);
    html << ": ";
    html.data(basis.value);
    html << "</span> ";
  }
  html << "<br><span class=\"quiet\">";
  if (!decision.reason.empty()) {
    html.data(decision.reason);
    html << ", ";
  }
  html << "decided by ";
  const std::string_view rule = rule_words(decision.decided_by.text);
  if (!rule.empty()) {
    html.text(std::string(rule));
    html << " (";
    html.data(decision.decided_by);
    html << ")";
  } else {
    html.data(decision.decided_by);
  }
  html << "</span></dd>";
}

void write_confirmation(Html& html, const Decision& decision) {
  if (decision.confirmation.empty()) return;
  html << "<dt>Operator</dt><dd>";
  const std::string_view words = confirmation_words(decision.confirmation.text);
  if (!words.empty()) html.text(std::string(words) + ' ');
  html << "<span class=\"quiet\">(";
  html.data(decision.confirmation);
  html << ")</span></dd>";
}

// Enough of a signature to compare two by eye.
std::string shortened(const Excerpt& signature) {
  const std::string_view text = signature.text;
  if (text.size() <= 20) return std::string(text);
  return std::string(text.substr(0, 8)) + "…" + std::string(text.substr(text.size() - 8));
}

void write_receipt(Html& html, const ReceiptView& receipt) {
  html << "<dt>Receipt</dt><dd>";
  switch (receipt.check.state) {
    case ReceiptCheck::State::kVerifies:
      html << "<span class=\"ok-word\">✓ verifies</span>";
      break;
    case ReceiptCheck::State::kUnchecked:
      html << "<span class=\"part-word\">! not checked: ";
      html.text(receipt.check.why);
      html << "</span>";
      break;
    case ReceiptCheck::State::kBad:
      html << "<span class=\"bad-word\">✗ does not verify: ";
      html.text(receipt.check.why);
      html << "</span>";
      break;
  }
  if (!receipt.id.empty()) {
    html << " <span class=\"quiet\">";
    html.data(receipt.id);
    html << ", signature ";
    html.data(excerpt(shortened(receipt.signature)));
    html << " by ";
    html.data(receipt.key_id);
    html << "</span>";
  }
  if (!receipt.differs.empty()) {
    html << "<br><b class=\"bad-word\">The line and its receipt differ in: ";
    for (std::size_t i = 0; i < receipt.differs.size(); ++i) {
      html.text((i > 0 ? ", " : "") + receipt.differs[i]);
    }
    html << ".</b>";
  }
  html << "</dd>";
}

void write_more(Html& html, const Decision& decision) {
  html << "<details><summary>Evidence and ids</summary>";
  Members rest = decision.evidence;
  const auto add = [&rest](std::string_view name, const Excerpt& value) {
    if (!value.empty()) rest.list.push_back({excerpt(name), value});
  };
  add("action", decision.action);
  add("audit_id", decision.audit_id);
  add("receipt.signature", decision.receipt.signature);
  rest.list.insert(rest.list.end(), decision.further.list.begin(), decision.further.list.end());
  rest.left_out += decision.further.left_out;
  write_members(html, rest);
  html << "</details>";
}

}  // namespace

void write_decision(Html& html, const Model& model, const Entry& entry) {
  const Decision& decision = *entry.decision;
  if (decision.outcome == Outcome::kOther) {
    html << "<p class=\"bad-word\">What was decided is neither allow nor deny: ";
    html.data(decision.said);
    html << "</p>";
  }
  write_target(html, decision);
  html << "<dl class=\"why\">";
  write_came_from(html, model, entry);
  write_why(html, decision);
  write_confirmation(html, decision);
  write_receipt(html, decision.receipt);
  html << "</dl>";
  write_more(html, decision);
}

}  // namespace agentlock::cli::report
