#pragma once

#include <string>
#include <vector>

#include "agentlock/parameters.hpp"

namespace agentlock {

/// A text, number or truth value inside the parameters.
struct ParameterLeaf {
  std::string path;  ///< `a.b[0]`; an empty parent path adds nothing before a key
  std::string text;
};

/// All leaves in the order in which they were written; null is none.
/// Source: agentlock-engine.md, section 6.
std::vector<ParameterLeaf> parameter_leaves(const Parameter& parameters);

/// True for null and for what has no members.
bool is_empty(const Parameter& parameters);

}  // namespace agentlock
