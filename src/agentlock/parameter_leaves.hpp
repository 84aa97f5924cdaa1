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

/// A leaf as the engine reads it: a text as it is, others as Python prints them
/// (True, 10000000000000000, 1e+16, 2.0, None). Objects and arrays are no leaves and
/// give an empty text. Source: agentlock-engine.md, section 6.
std::string leaf_text(const Parameter& leaf);

/// All leaves in the order in which they were written; null is none.
/// Source: agentlock-engine.md, section 6.
std::vector<ParameterLeaf> parameter_leaves(const Parameter& parameters);

/// True for null and for what has no members.
bool is_empty(const Parameter& parameters);

}  // namespace agentlock
