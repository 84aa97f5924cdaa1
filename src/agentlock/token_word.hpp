#pragma once

#include <cstddef>
#include <string_view>

namespace agentlock {

/// The token of a word in lowercase: quotes, brackets and most punctuation off both
/// ends. Empty if it is too short or says too little.
/// Source: agentlock-engine.md, section 3, item 3.
std::string_view canonical_word(std::string_view lowered, std::size_t min_length);

}  // namespace agentlock
