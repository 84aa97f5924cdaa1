// The two checks of the published engine, in its order: which candidate is named, and
// for which entry, is part of the answer.
// Source: agentlock-engine.md, section 7.

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "agentlock/encodings.hpp"
#include "agentlock/lineage.hpp"
#include "agentlock/lineage_state.hpp"
#include "agentlock/lowercase.hpp"
#include "agentlock/parameter_leaves.hpp"
#include "agentlock/token.hpp"

namespace agentlock {
namespace {

using Leaves = std::vector<ParameterLeaf>;

struct Candidate {
  Token token;
  std::size_t length;  // code points
  const ParameterLeaf* leaf;
};

std::string cut(std::string_view text) {
  return std::string(first_code_points(text, kMaxEvidenceLength));
}

LineageOutcome nothing(LineageQualifier qualifier) { return {LineageResult::kNoMatch, qualifier}; }

// The outcome where there is nothing to look at, for either check.
std::optional<LineageOutcome> outcome_without_texts(const LineageIndex::State& state,
                                                    const Parameter& parameters) {
  if (is_empty(parameters)) return nothing(LineageQualifier::kNoParameters);
  if (state.entries == 0) return nothing(LineageQualifier::kNoProvenanceLog);
  return std::nullopt;
}

// What orders a candidate among others: longer ones come first, so the other one's
// length stands in its place. Leaves lie in walk order.
auto key(const Candidate& a, const Candidate& b) {
  return std::tuple(rank(a.token.kind), b.length, std::string_view(a.token.text),
                    std::string_view(a.leaf->path), a.token.kind, a.leaf);
}

std::vector<Candidate> candidates(const Leaves& leaves, std::size_t min_length) {
  std::vector<Candidate> all;
  for (const ParameterLeaf& leaf : leaves) {
    for (Token& token : tokens(leaf.text, min_length)) {
      const std::size_t length = count_code_points(token.text);
      all.push_back({std::move(token), length, &leaf});
    }
  }
  std::ranges::sort(all,
                    [](const Candidate& a, const Candidate& b) { return key(a, b) < key(b, a); });
  return all;
}

// Direction B: a token of the parameters that untrusted text holds.
std::optional<ParamMatch> find_supplied_token(const LineageIndex::State& state,
                                              const std::vector<Candidate>& tokens) {
  for (const auto& [token, length, leaf] : tokens) {
    if (state.clears(token.text)) continue;
    if (const auto entry = state.untrusted.entry_holding(token.text)) {
      return ParamMatch{leaf->path,      cut(leaf->text), std::string(to_string(token.kind)),
                        cut(token.text), *entry,          false};
    }
  }
  return std::nullopt;
}

// Direction A: an encoded address of untrusted text that the parameters hold.
std::optional<ParamMatch> find_supplied_needle(const LineageIndex::State& state,
                                               const Leaves& leaves) {
  for (const ParameterLeaf& leaf : leaves) {
    const std::string lowered = lowercase(leaf.text);
    const auto needle = state.untrusted.first_needle_in(lowered);
    if (!needle || state.clears(lowered)) continue;
    return ParamMatch{leaf.path,         cut(leaf.text), std::string(needle_kind(needle->text)),
                      cut(needle->text), needle->entry,  true};
  }
  return std::nullopt;
}

bool is_accounted_for(const LineageIndex::State& state, std::string_view token) {
  return state.authoritative_tokens.contains(token) || state.untrusted.has_token(token);
}

bool is_novel(const LineageIndex::State& state, std::string_view token) {
  if (is_accounted_for(state, token)) return false;
  return std::ranges::none_of(canonical_tokens(token, state.min_length), [&](const Token& form) {
    return is_accounted_for(state, form.text);
  });
}

}  // namespace

ParamLineage check_param_lineage(const LineageIndex& index, const Parameter& parameters) {
  const LineageIndex::State& state = index.state();
  if (const auto outcome = outcome_without_texts(state, parameters)) return {*outcome, {}};
  if (state.untrusted.empty()) return {nothing(LineageQualifier::kNoUntrustedContext), {}};
  const Leaves leaves = parameter_leaves(parameters);
  const std::vector<Candidate> tokens = candidates(leaves, state.min_length);
  if (tokens.empty()) return {nothing(LineageQualifier::kNoTokens), {}};
  auto match = find_supplied_token(state, tokens);
  if (!match) match = find_supplied_needle(state, leaves);
  if (!match) return {nothing(LineageQualifier::kNone), {}};
  return {{LineageResult::kMatch, LineageQualifier::kNone}, std::move(match)};
}

NovelLineage check_novel_lineage(const LineageIndex& index, const Parameter& parameters) {
  const LineageIndex::State& state = index.state();
  if (const auto outcome = outcome_without_texts(state, parameters)) return {*outcome, {}};
  if (state.authoritative_tokens.empty()) {
    return {{LineageResult::kNotClassifiable, LineageQualifier::kNoAuthoritativeBaseline}, {}};
  }
  const Leaves leaves = parameter_leaves(parameters);
  const std::vector<Candidate> tokens = candidates(leaves, state.min_length);
  if (tokens.empty()) return {nothing(LineageQualifier::kNoTokens), {}};
  for (const auto& [token, length, leaf] : tokens) {
    if (!is_novel(state, token.text)) continue;
    return {{LineageResult::kMatch, LineageQualifier::kNone},
            NovelMatch{leaf->path, cut(leaf->text), cut(token.text)}};
  }
  return {nothing(LineageQualifier::kNone), {}};
}

}  // namespace agentlock
