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
// Entries that belong near the end may stand beyond the last home. The last slot is always
// free, so that searches end.

#include <algorithm>
#include <utility>

namespace agentlock {
namespace {

constexpr std::size_t kMinHomes = 16;
// From here on memory is saved, and time below.
constexpr std::size_t kLarge = std::size_t{1} << 18U;
// Slots behind the last home, for what does not fit before it.
constexpr std::size_t kRoom = 16;

}  // namespace

void HashIndex::insert(std::uint64_t hash, std::uint64_t number) {
  if ((used_ + 1) * 20 > homes_ * 17) grow();
  const std::uint64_t tag = tag_of(hash);
  const std::uint64_t inserted = tag << kNumberBits | number;
  std::size_t at = home(tag);
  while (slots_[at] < inserted) ++at;
  std::size_t end = at;
  while (slots_[end] != kFree) ++end;
  std::copy_backward(slots_.data() + at, slots_.data() + end, slots_.data() + end + 1);
  slots_[at] = inserted;
  if (end + 1 == slots_.size()) slots_.push_back(kFree);
  ++used_;
}

void HashIndex::grow() {
  homes_ = std::max(kMinHomes, homes_ < kLarge ? homes_ * 2 : homes_ + homes_ / 4);
  std::size_t packed = slots_.size();
  for (std::size_t at = slots_.size(); at-- > 0;) {
    if (slots_[at] != kFree) slots_[--packed] = slots_[at];
  }
  packed = move_to_end(used_, homes_ + kRoom);
  std::fill(slots_.data(), slots_.data() + packed, kFree);
  std::size_t next = 0;
  for (std::size_t at = packed; at < slots_.size(); ++at) {
    next = std::max(next, home(slots_[at] >> kNumberBits));
    if (next > at) {  // the last ones would have no room
      const std::size_t left = slots_.size() - at;
      const std::size_t moved = move_to_end(left, next + left + kRoom);
      std::fill(slots_.data() + at, slots_.data() + moved, kFree);
      at = moved;
    }
    slots_[next++] = std::exchange(slots_[at], kFree);
  }
  if (next == slots_.size()) slots_.push_back(kFree);
}

std::size_t HashIndex::move_to_end(std::size_t count, std::size_t size) {
  const std::size_t before = slots_.size();
  if (size > before) {
    slots_.reserve(size);
    slots_.grow_to(size);
    std::copy_backward(slots_.data() + before - count, slots_.data() + before,
                       slots_.data() + size);
  }
  return slots_.size() - count;
}

}  // namespace agentlock
