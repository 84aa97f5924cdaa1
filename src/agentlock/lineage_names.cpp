#include "agentlock/lineage.hpp"

namespace agentlock {

std::string_view to_string(Authority authority) {
  switch (authority) {
    case Authority::kAuthoritative:
      return "authoritative";
    case Authority::kDerived:
      return "derived";
    case Authority::kUntrusted:
      return "untrusted";
  }
  return "";
}

std::optional<Authority> authority_of(std::string_view name) {
  for (const auto authority :
       {Authority::kAuthoritative, Authority::kDerived, Authority::kUntrusted}) {
    if (to_string(authority) == name) return authority;
  }
  return std::nullopt;
}

std::string_view to_string(LineageQualifier qualifier) {
  switch (qualifier) {
    case LineageQualifier::kNone:
      return "";
    case LineageQualifier::kNoParameters:
      return "no_parameters";
    case LineageQualifier::kNoProvenanceLog:
      return "no_provenance_log";
    case LineageQualifier::kNoUntrustedContext:
      return "no_untrusted_context";
    case LineageQualifier::kNoTokens:
      return "no_tokens";
    case LineageQualifier::kNoAuthoritativeBaseline:
      return "no_authoritative_baseline";
  }
  return "";
}

std::string_view to_string(LineageResult result) {
  switch (result) {
    case LineageResult::kMatch:
      return "match";
    case LineageResult::kNoMatch:
      return "no_match";
    case LineageResult::kNotClassifiable:
      return "not_classifiable";
  }
  return "";
}

std::string to_string(const LineageOutcome& outcome) {
  std::string text(to_string(outcome.result));
  if (outcome.qualifier != LineageQualifier::kNone) {
    text += ':';
    text += to_string(outcome.qualifier);
  }
  return text;
}

}  // namespace agentlock
