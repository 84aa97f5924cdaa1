#include "agentlock/hash_index.hpp"

// A hash table must be half empty to be fast, doubles when it is full, and copies itself
// by jumping all over the new one. This one does none of that.
//
// The method is linear probing, with the slots in the order of their tags (the upper bits
// of the hash), free ones between them. A tag's home is its share of the table: the
// number of homes times the tag, divided by the number of tags. An entry stands at its
// home or, where that is taken, as little behind it as the order allows. So
//
//   * a search ends at the first free slot or greater tag: one for something that is not
//     there is as short as one for something that is, also in a table that is 85 % full;
//   * a table of more homes holds the same entries in the same order. Growing by a quarter
//     is two sweeps from end to end, in place: all entries are pushed to the far end, and
//     then each is put where it belongs, which is never beyond where it lies.
//
// Entries that belong near the end may stand beyond the last home; the array grows by a
// few slots where they do.

#include <algorithm>
#include <utility>

namespace agentlock {
namespace {

constexpr std::size_t kMinHomes = 16;
// From here on memory is saved, and time below.
constexpr std::size_t kLarge = std::size_t{1} << 16U;

}  // namespace

void HashIndex::insert(std::uint64_t hash, std::uint64_t number) {
  if ((used_ + 1) * 20 > homes_ * 17) grow();
  const std::uint64_t tag = tag_of(hash);
  std::size_t at = home(tag);
  while (at < slots_.size() && slots_[at] != kFree && slot_tag(slots_[at]) <= tag) ++at;
  std::size_t end = at;
  while (end < slots_.size() && slots_[end] != kFree) ++end;
  if (end == slots_.size()) slots_.push_back(kFree);
  std::copy_backward(slots_.data() + at, slots_.data() + end, slots_.data() + end + 1);
  slots_[at] = tag << kNumberBits | number;
  ++used_;
}

void HashIndex::grow() {
  homes_ = std::max(kMinHomes, homes_ + homes_ / (homes_ < kLarge ? 2 : 4));
  std::size_t packed = slots_.size();
  for (std::size_t at = slots_.size(); at-- > 0;) {
    if (slots_[at] != kFree) slots_[--packed] = slots_[at];
  }
  std::size_t end = 0;  // behind the place of the last entry
  for (std::size_t at = packed; at < slots_.size(); ++at) {
    end = std::max(end, home(slot_tag(slots_[at]))) + 1;
  }
  end = std::max(end, homes_);
  if (const std::size_t size = slots_.size(); end > size) {
    slots_.reserve(end);
    slots_.grow_to(end);
    std::copy_backward(slots_.data() + packed, slots_.data() + size, slots_.data() + end);
    packed = end - used_;
  }
  std::fill(slots_.data(), slots_.data() + packed, kFree);
  std::size_t next = 0;
  for (std::size_t at = packed; at < slots_.size(); ++at) {
    const std::uint64_t slot = std::exchange(slots_[at], kFree);
    next = std::max(next, home(slot_tag(slot)));
    slots_[next++] = slot;
  }
}

}  // namespace agentlock
