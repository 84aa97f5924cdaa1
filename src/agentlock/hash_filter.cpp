#include "agentlock/hash_filter.hpp"

// A Bloom filter in which all bits of a hash lie in one word, so that a question touches
// one cache line for each layer.

#include <algorithm>

namespace agentlock {
namespace {

constexpr std::size_t kFirstWords = 256;
constexpr std::size_t kHashesAWord = 5;

std::size_t word_of(std::uint64_t hash, std::size_t words) {
  return static_cast<std::size_t>(((hash >> 32U) * words) >> 32U);
}

std::uint64_t bits_of(std::uint64_t hash) {
  const auto bit = [&](unsigned from) { return std::uint64_t{1} << ((hash >> from) & 63U); };
  return bit(0) | bit(6) | bit(12);
}

}  // namespace

void HashFilter::add(std::uint64_t hash) {
  if (layers_.empty() || layers_.back().room == 0) {
    const std::size_t words = layers_.empty() ? kFirstWords : layers_.back().words.size() * 2;
    layers_.push_back({std::vector<std::uint64_t>(words), words * kHashesAWord});
  }
  // What an older layer holds is added to each newer one at most once.
  Layer& layer = layers_.back();
  std::uint64_t& word = layer.words[word_of(hash, layer.words.size())];
  const std::uint64_t bits = bits_of(hash);
  if ((word & bits) == bits) return;
  word |= bits;
  --layer.room;
}

bool HashFilter::may_hold(std::uint64_t hash) const {
  const std::uint64_t bits = bits_of(hash);
  return std::ranges::any_of(layers_, [&](const Layer& layer) {
    return (layer.words[word_of(hash, layer.words.size())] & bits) == bits;
  });
}

}  // namespace agentlock
