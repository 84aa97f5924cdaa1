#include "agentlock/echo.hpp"

#include <string>

#include "agentlock/ledger.hpp"
#include "agentlock/page_fold.hpp"
#include "agentlock/parameters.hpp"
#include "agentlock/spelling.hpp"
#include "agentlock/trace_part.hpp"
#include "agentlock/value_cover.hpp"

namespace agentlock {
namespace {

// The shortest code that is written in groups, in characters without its spaces.
constexpr std::size_t kMinGroups = 6;

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
    if (is_token(spelled) && is_from_page(piece(text_, chunk))) {
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

  bool is_from_page(std::string_view part) const {
    if (exact_) {
      return check_param_lineage(ledger_.lineage(), text_parameters("prompt", std::string(part)))
          .match.has_value();
    }
    const PageSearch pages(ledger_);
    return trace_part(ledger_, {pages, pages}, part).channel == Channel::kPage;
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
