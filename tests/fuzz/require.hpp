#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace agentlock::fuzz {

/// Ends the run, as a crash does, with the sentence that did not hold.
inline void require(bool held, std::string_view sentence) {
  if (held) return;
  std::fprintf(stderr, "fuzz: this does not hold: %.*s\n", static_cast<int>(sentence.size()),
               sentence.data());
  std::abort();
}

}  // namespace agentlock::fuzz
