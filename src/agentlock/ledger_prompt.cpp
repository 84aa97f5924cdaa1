#include <algorithm>
#include <utility>

#include "agentlock/character_classes.hpp"
#include "agentlock/echo.hpp"
#include "agentlock/ledger.hpp"
#include "agentlock/operator_prompt.hpp"
#include "agentlock/operator_text.hpp"
#include "agentlock/page_fold.hpp"
#include "agentlock/page_words.hpp"
#include "agentlock/spelling.hpp"
#include "agentlock/url_parts.hpp"

// What the operator says while the session runs. Own words count as those of the start
// do, but for the tokens that a page supplied before; what is quoted is recorded as page
// text is, so that it is found in every spelling.

namespace agentlock {
namespace {

bool is_blank(std::string_view text) { return skip_spaces(text, 0) == text.size(); }

}  // namespace

Result<Ledger::Prompted> Ledger::record_prompt(const OperatorPrompt& prompt,
                                               const std::string& source,
                                               std::chrono::year_month_day today) {
  Prompted prompted{nullptr, nullptr, {}};
  if (broken_) {
    return fail(ErrorCode::kInternal,
                "ledger_broken: recording failed before, so that nothing more is recorded");
  }
  const bool has_quoted = !is_blank(prompt.quoted);
  if (has_quoted && prompt.quoted.size() > max_page_bytes_ - page_bytes_) {
    return fail(ErrorCode::kLimit,
                "ledger_full: the ledger has no room for what the prompt quotes (ledger_max_mb)");
  }
  if (!is_blank(prompt.own)) {
    // A line end in its place, so that the words around it are no row.
    std::string counted;
    std::size_t at = 0;
    for (const TextRange echo : find_echoes(*this, mode_, prompt.own)) {
      prompted.echoes.emplace_back(piece(prompt.own, echo));
      echoes_->add(prompted.echoes.back(), std::nullopt);
      echo_codes_.insert(fold_joined(prompted.echoes.back()));
      counted.append(prompt.own, at, echo.begin - at) += '\n';
      at = echo.end;
    }
    counted.append(prompt.own, at);
    prompted.own = record_operator(std::move(counted), source, today).entry;
    said_.back().in_prompt = true;
  }
  if (has_quoted) {
    Entry entry{.id = "",
                .channel = Channel::kPage,
                .origin = std::nullopt,
                .source = source + ":quoted",
                .content = prompt.quoted,
                .content_hash = "",
                .marks = {},
                .quoted = true};
    prompted.quoted = whole_or_broken([&] {
      page_bytes_ += entry.content.size();
      const Entry* quoted = add(std::move(entry));
      index(quoted, Authority::kUntrusted);
      return quoted;
    });
  }
  return prompted;
}

void Ledger::forget_prompts() {
  std::erase_if(said_, [](const Said& said) { return said.in_prompt; });
  *operator_text_ = OperatorText();
  std::vector<std::string_view> contents;
  for (const Said& said : said_) {
    contents.push_back(said.entry->content);
    if (mode_ != LineageMode::kAgentlock) operator_text_->add(said.entry->content, said.today);
  }
  lineage_.replace_authoritative(contents);
}

bool Ledger::echoed(std::string_view text) const {
  if (echoes_->empty() || text.empty()) return false;
  const std::string spelled = spelling(text);
  if (echoes_->stands(spelled) || echo_codes_.contains(fold_joined(text))) return true;
  const auto url = parse_navigable(text);
  return url && std::ranges::any_of(echoes_->urls(), [&](const OperatorUrl& echo) {
           return echo.url.host() == url->host();
         });
}

}  // namespace agentlock
