#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace agentlock {

/// Remembers that a hash was added, in two to three bytes: an answer of no is certain, one
/// of yes is wrong in some three of a hundred cases.
class HashFilter {
 public:
  void add(std::uint64_t hash);
  bool may_hold(std::uint64_t hash) const;

 private:
  // Layers of doubling size, as a full one can't grow: it does not know its hashes.
  struct Layer {
    std::vector<std::uint64_t> words;
    std::size_t room;
  };
  std::vector<Layer> layers_;
};

}  // namespace agentlock
