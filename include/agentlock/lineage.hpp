#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agentlock/parameters.hpp"

namespace agentlock {

/// How far a recorded text is trusted. Source: agentlock-engine.md, section 1.
enum class Authority {
  kAuthoritative,  ///< the operator's own words
  kDerived,        ///< takes part in neither check, but counts as a recorded entry
  kUntrusted,      ///< page text and all else
};

/// "authoritative", "derived", "untrusted".
std::string_view to_string(Authority authority);
std::optional<Authority> authority_of(std::string_view name);

/// Why there was nothing to compare.
enum class LineageQualifier {
  kNone,
  kNoParameters,
  kNoProvenanceLog,
  kNoUntrustedContext,
  kNoTokens,
  kNoAuthoritativeBaseline,
};

enum class LineageResult { kMatch, kNoMatch, kNotClassifiable };

/// "no_tokens" and so on; empty for kNone.
std::string_view to_string(LineageQualifier qualifier);
/// "match", "no_match", "not_classifiable".
std::string_view to_string(LineageResult result);

struct LineageOutcome {
  LineageResult result = LineageResult::kNoMatch;
  LineageQualifier qualifier = LineageQualifier::kNone;

  bool operator==(const LineageOutcome&) const = default;
};

/// As grant_basis spells it: "no_match", "no_match:no_tokens", ...
std::string to_string(const LineageOutcome& outcome);

/// Texts of evidence are cut to this many code points.
inline constexpr std::size_t kMaxEvidenceLength = 120;

/// A parameter that carries something which an untrusted entry supplied.
struct ParamMatch {
  std::string param;  ///< path of the leaf, `a.b[0]`
  std::string value;  ///< the leaf's text, cut
  std::string kind;   ///< email, url, str, date, phone, amount; of a raw scan url, hex, base64
  std::string token;  ///< lowercase, cut
  std::size_t entry;  ///< which one supplied it: the index that LineageIndex::add returned
  /// Found as an encoded needle inside the leaf, not as a token of the leaf; evidence
  /// then has `match_direction: raw_substring_scan`.
  bool raw_substring_scan;
};

struct ParamLineage {
  LineageOutcome outcome;
  std::optional<ParamMatch> match;  ///< if and only if the result is kMatch
};

/// A parameter that carries something which nobody supplied.
struct NovelMatch {
  std::string param;
  std::string value;  ///< cut
  std::string token;  ///< lowercase, cut
};

struct NovelLineage {
  LineageOutcome outcome;
  std::optional<NovelMatch> match;  ///< if and only if the result is kMatch
};

/// The recorded texts of one session, worked through once when they are recorded so
/// that a check costs what the parameters are long and hardly more for a longer
/// session. Entries are added in the order of the log and never removed.
class LineageIndex {
 public:
  static constexpr std::size_t kDefaultMinLength = 6;

  /// `min_length`: the shortest plain word and canonical form that counts, in code
  /// points, for the recorded texts and for the parameters alike.
  explicit LineageIndex(std::size_t min_length = kDefaultMinLength);
  ~LineageIndex();
  LineageIndex(LineageIndex&&) noexcept;
  LineageIndex& operator=(LineageIndex&&) noexcept;

  /// Records a text (UTF-8; it is not kept) and returns its index: 0, 1, 2, ...
  std::size_t add(Authority authority, std::string_view content);

  /// From now on these are all the authoritative texts that there are; indexes stay.
  void replace_authoritative(const std::vector<std::string_view>& contents);

  /// How many entries were added.
  std::size_t size() const;

  /// For the checks: what has been recorded, in the form that they ask it in.
  struct State;
  const State& state() const { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

/// Does a value come from untrusted text? The first match in the published engine's
/// order. Source: agentlock-engine.md, section 7, "Parameter lineage".
ParamLineage check_param_lineage(const LineageIndex& index, const Parameter& parameters);

/// Does a value come from nowhere? Source: the same section, "Novel lineage".
NovelLineage check_novel_lineage(const LineageIndex& index, const Parameter& parameters);

}  // namespace agentlock
