#include <set>
#include <utility>

#include "agentlock/lineage.hpp"
#include "agentlock/lineage_state.hpp"
#include "agentlock/lowercase.hpp"
#include "agentlock/token.hpp"

namespace agentlock {
namespace {

void add_authoritative(LineageIndex::State& state, std::string_view content) {
  if (state.authoritative_text.size() > 0) state.authoritative_text.append(" ");
  state.authoritative_text.append(lowercase(content));
  std::set<std::string> canonical;
  for (Token& token : canonical_tokens(content, state.min_length)) {
    canonical.insert(std::move(token.text));
  }
  for (const std::string& token : canonical) {
    state.authoritative_text.append(" ");
    state.authoritative_text.append(token);
  }
  for (Token& token : tokens(content, state.min_length)) {
    state.authoritative_tokens.insert(std::move(token.text));
  }
}

}  // namespace

LineageIndex::LineageIndex(std::size_t min_length) : state_(std::make_unique<State>(min_length)) {}
LineageIndex::~LineageIndex() = default;
LineageIndex::LineageIndex(LineageIndex&&) noexcept = default;
LineageIndex& LineageIndex::operator=(LineageIndex&&) noexcept = default;

std::size_t LineageIndex::add(Authority authority, std::string_view content) {
  const std::size_t entry = state_->entries++;
  if (content.empty()) return entry;
  if (authority == Authority::kAuthoritative) add_authoritative(*state_, content);
  if (authority == Authority::kUntrusted) state_->untrusted.add(entry, content);
  return entry;
}

void LineageIndex::replace_authoritative(const std::vector<std::string_view>& contents) {
  state_->authoritative_text = SubstringIndex();
  state_->authoritative_tokens.clear();
  for (const std::string_view content : contents) {
    if (!content.empty()) add_authoritative(*state_, content);
  }
}

std::size_t LineageIndex::size() const { return state_->entries; }

}  // namespace agentlock
