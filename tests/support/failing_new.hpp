#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>

// Lack of memory on purpose. This replaces the program's operator new, so it is to be
// included by one file of a program.

namespace agentlock::test {

inline std::size_t allocations_left = 0;  // until the one that fails; 0 for none

/// While it lives, the allocation with this number (from 0), and it alone, throws
/// std::bad_alloc.
class FailingNew {
 public:
  explicit FailingNew(std::size_t number) { allocations_left = number + 1; }
  FailingNew(const FailingNew&) = delete;
  ~FailingNew() { allocations_left = 0; }

  /// Whether there were as many allocations.
  bool happened() const { return allocations_left == 0; }
};

}  // namespace agentlock::test

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  using agentlock::test::allocations_left;
  if (allocations_left > 0 && --allocations_left == 0) return nullptr;
  return std::malloc(size > 0 ? size : 1);
}
void* operator new(std::size_t size) {
  void* memory = operator new(size, std::nothrow);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
