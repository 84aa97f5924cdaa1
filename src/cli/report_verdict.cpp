#include <algorithm>

#include "cli/report_page.hpp"
#include "cli/report_words.hpp"

namespace agentlock::cli::report {
namespace {

enum class Check { kOk, kPart, kBad };

// What a fault is a fault of.
enum class Subject { kChain, kSignatures, kReceipts, kKey, kWhole };

Subject check_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::kBadSignature:
      return Subject::kSignatures;
    case FaultKind::kBadReceipt:
    case FaultKind::kReusedReceipt:
      return Subject::kReceipts;
    case FaultKind::kForeignKey:
      return Subject::kKey;
    case FaultKind::kCutTail:
    case FaultKind::kMissingSession:
      return Subject::kWhole;
    default:
      return Subject::kChain;
  }
}

class Checks {
 public:
  Checks(Html& html, const VerifyReport& report) : html_(html), report_(report) {}

  /// A fault elsewhere ends what can be said of its session, so that the others hold
  /// only as far as it goes.
  Check of(Subject about, bool holds) const {
    if (report_.first_fault && check_of(report_.first_fault->kind) == about) return Check::kBad;
    return holds && !report_.first_fault ? Check::kOk : Check::kPart;
  }

  void item(Check check, Markup name, const std::string& words) {
    html_ << (check == Check::kOk    ? Markup("<li class=\"ok\"><i class=\"sign\">✓</i>")
              : check == Check::kBad ? Markup("<li class=\"bad\"><i class=\"sign\">✗</i>")
                                     : Markup("<li class=\"part\"><i class=\"sign\">!</i>"));
    html_ << "<div><b>" << name << "</b><span>";
    html_.text(words);
    html_ << "</span></div></li>";
  }

 private:
  Html& html_;
  const VerifyReport& report_;
};

std::string so_far(const VerifyReport& report, std::string words) {
  return report.first_fault ? words + ", as far as chains are whole" : words;
}

void write_checks(Html& html, const VerifyReport& report, const About& about) {
  Checks checks(html, report);
  html << "<ul class=\"checks\">";
  const Check chain = checks.of(Subject::kChain, true);
  checks.item(chain, "Chain and sequence",
              chain == Check::kOk ? "Each of " + counted(report.lines, "line") +
                                        " follows from the one before it in its session."
              : chain == Check::kBad ? "They do not hold: see the first fault."
                                     : "Whole but for the sessions with a fault.");
  checks.item(checks.of(Subject::kSignatures, true), "Signed checkpoints",
              so_far(report, counted(report.checkpoints, "signature") + " verified") + ".");
  const bool all_receipts = report.unchecked_receipts == 0;
  checks.item(checks.of(Subject::kReceipts, all_receipts), "Receipts",
              so_far(report, counted(report.receipts - report.unchecked_receipts, "receipt") +
                                 " verified") +
                  (all_receipts ? "."
                                : ", " + grouped(report.unchecked_receipts) +
                                      " not: they need the secret (--secret)."));
  std::string whole = report.first_fault ? "No session whose chain is whole lacks its end"
                                         : "All sessions have ended";
  if (report.sessions == 0) whole = "There is no session";
  if (report.unfinished_sessions > 0) {
    whole = counted(report.unfinished_sessions, "session") +
            (report.unfinished_sessions == 1 ? " has" : " have") + " no end";
  }
  if (report.torn_lines > 0) whole += ", " + counted(report.torn_lines, "line") + " torn";
  const bool ended =
      report.sessions > 0 && report.unfinished_sessions == 0 && report.torn_lines == 0;
  checks.item(checks.of(Subject::kWhole, ended), "Whole sessions", whole + ".");
  checks.item(checks.of(Subject::kKey, report.pinned), "Key",
              about.key ? "Held against " + *about.key + " from " + about.key_file + "."
                        : "None was given or found: only the log vouches for itself (--key).");
  html << "</ul>";
}

void write_unfinished(Html& html, const VerifyReport& report) {
  if (report.unfinished.empty()) return;
  html << "<details><summary>Sessions without an end</summary><ul>";
  for (const auto& session : report.unfinished) {
    html << "<li>";
    html.data(excerpt(session.session));
    html << ": last line ";
    html.text(grouped(session.last_line));
    if (session.vouched) {
      html << ", signed up to seq ";
      html.text(grouped(session.vouched_seq));
    } else {
      html << ", signed nowhere";
    }
    html << "</li>";
  }
  html << "</ul>";
  if (report.unfinished_sessions > report.unfinished.size()) {
    html << "<p class=\"cut\">… ";
    html.text(grouped(report.unfinished_sessions - report.unfinished.size()));
    html << " more</p>";
  }
  html << "</details>";
}

bool is_on_page(const Model& model, std::uint64_t line) {
  const auto at = [line](const auto& one) { return one.place.line == line; };
  return std::ranges::any_of(model.entries, at) || std::ranges::any_of(model.unreadable, at);
}

void write_fault(Html& html, const Model& model) {
  if (!model.verified.first_fault) return;
  const Fault& fault = *model.verified.first_fault;
  html << "<div class=\"fault\" role=\"alert\"><p><span class=\"kind\">First fault: ";
  html.text(to_string(fault.kind));
  html << "</span>";
  if (fault.line > 0) {
    html << " at <span class=\"where\">line ";
    html.text(grouped(fault.line));
    html << "</span>";
  }
  if (fault.byte) {
    html << ", byte ";
    html.text(grouped(*fault.byte));
  }
  if (fault.seq) {
    html << ", seq ";
    html.text(grouped(*fault.seq));
  }
  if (!fault.session.empty()) {
    html << ", session ";
    html.data(excerpt(fault.session));
  }
  html << "</p><p>";
  html.text(fault_words(fault.kind));
  html << " <span class=\"quiet\">(";
  html.text(fault.detail);
  html << ")</span>";
  if (is_on_page(model, fault.line)) {
    html << " <a href=\"#l" << fault.line << "\">Show it in its place</a>";
  } else if (fault.line > 0) {
    html << " It is not on this page, or not one of its entries: <code>--from " << fault.line
         << "</code> begins there.";
  }
  html << "</p>";
  if (!model.fault_line.empty()) {
    html << "<p class=\"raw\">";
    html.exact(model.fault_line);
    html << "</p>";
  }
  html << "</div>";
}

}  // namespace

void write_verdict(Html& html, const Model& model, const About& about) {
  const VerifyReport& report = model.verified;
  const bool broken = report.verdict == LogVerdict::kBroken;
  const bool verified = report.verdict == LogVerdict::kVerified;
  html << (broken     ? Markup("<section class=\"card verdict no\"")
           : verified ? Markup("<section class=\"card verdict\"")
                      : Markup("<section class=\"card verdict care\""));
  html << " aria-label=\"Verdict\"><p class=\"word\">"
       << (broken     ? Markup("✗ ")
           : verified ? Markup("✓ ")
                      : Markup("! "));
  html.text(verdict_title(report.verdict));
  html << "</p><p class=\"say\">";
  html.text(verdict_words(report.verdict));
  html << "</p>";
  write_fault(html, model);
  write_checks(html, report, about);
  write_unfinished(html, report);
  html << "</section>\n";
}

}  // namespace agentlock::cli::report
