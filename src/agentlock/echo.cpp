#include "agentlock/echo.hpp"

#include <algorithm>
#include <string>

#include "agentlock/ledger.hpp"
#include "agentlock/operator_urls.hpp"
#include "agentlock/page_fold.hpp"
#include "agentlock/parameters.hpp"
#include "agentlock/spelling.hpp"
#include "agentlock/trace_part.hpp"
#include "agentlock/value_cover.hpp"

namespace agentlock {
namespace {

// The shortest code that is written in groups, in characters without its spaces.
constexpr std::size_t kMinGroups = 6;
constexpr std::string_view kSigns = "=:,;|()[]{}<>\"'`";

class Echoes {
 public:
  Echoes(const Ledger& ledger, LineageMode mode, std::string_view text)
      : ledger_(ledger), exact_(mode == LineageMode::kAgentlock), text_(text) {}

  std::vector<TextRange> find() {
    for (std::size_t at = skip_spaces(text_, 0); at < text_.size();) {
      const std::size_t end = find_space(text_, at);
      visit({at, end});
      at = skip_spaces(text_, end);
    }
    end_groups();
    return std::move(found_);
  }

 private:
  void visit(TextRange chunk) {
    const std::string spelled = spelling(piece(text_, chunk));
    if (!holds_digit(spelled)) end_groups();
    if (is_token(spelled) && is_echo(piece(text_, chunk))) {
      end_groups();
      found_.push_back(chunk);
      return;
    }
    if (!holds_digit(spelled)) return;
    if (count_++ == 0) groups_.begin = chunk.begin;
    groups_.end = chunk.end;
  }

  // A code of several groups: "4711 0815 22".
  void end_groups() {
    if (count_ > 1 && fold_joined(piece(text_, groups_)).size() >= kMinGroups &&
        is_from_page(piece(text_, groups_))) {
      found_.push_back(groups_);
    }
    count_ = 0;
  }

  static bool is_token(std::string_view spelled) {
    return !is_letters(piece(spelled, without_punctuation(spelled, {0, spelled.size()}))) &&
           is_distinctive(spelled);
  }

  // The chunk, or what stands behind a sign in it: "code=QX-774-31".
  bool is_echo(std::string_view chunk) const {
    if (is_from_page(chunk)) return true;
    for (std::size_t begin = 0; begin < chunk.size();) {
      const std::size_t end = std::min(chunk.find_first_of(kSigns, begin), chunk.size());
      const std::string_view part = chunk.substr(begin, end - begin);
      // "//evil.test/x" of an address is none of its own.
      const bool is_part = part.size() < chunk.size() && !part.starts_with("//");
      if (is_part && is_token(spelling(part)) && is_from_page(part)) return true;
      begin = end + 1;
    }
    return false;
  }

  bool is_from_page(std::string_view part) const {
    if (exact_) {
      return check_param_lineage(ledger_.lineage(), text_parameters("prompt", std::string(part)))
          .match.has_value();
    }
    // An address of a site that the operator has named is the operator's to name again.
    const std::vector<OperatorUrl> urls = operator_urls(part);
    if (!urls.empty() && std::ranges::all_of(urls, [&](const OperatorUrl& written) {
          return trace_url(ledger_, LineageMode::kClosed, written.url).channel == Channel::kUser;
        })) {
      return false;
    }
    const PageSearch pages(ledger_);
    if (trace_part(ledger_, {pages, pages}, part).channel == Channel::kUser) return false;
    return pages.find_token(spelling(part)) || pages.find_decoded(part) ||
           pages.find_joined(fold_joined(part), "echo");
  }

  const Ledger& ledger_;
  bool exact_;
  std::string_view text_;
  TextRange groups_{};
  std::size_t count_ = 0;
  std::vector<TextRange> found_;
};

}  // namespace

std::vector<TextRange> find_echoes(const Ledger& ledger, LineageMode mode, std::string_view text) {
  return Echoes(ledger, mode, text).find();
}

}  // namespace agentlock
