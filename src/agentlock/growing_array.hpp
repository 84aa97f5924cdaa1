#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace agentlock {

/// A vector of plain values whose memory grows in place: realloc moves the pages of a
/// large block and copies nothing, so growing in small steps is cheap, little lies idle,
/// and there is never a second copy. New elements are not initialised.
template <typename T>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return memory_.get(); }
  const T* data() const { return memory_.get(); }
  T& operator[](std::size_t at) { return memory_.get()[at]; }
  const T& operator[](std::size_t at) const { return memory_.get()[at]; }
  T& back() { return memory_.get()[size_ - 1]; }

  void push_back(const T& value) {
    const T copy = value;  // it may lie in this array
    grow_to(size_ + 1);
    back() = copy;
  }
  /// `values` lie outside of this array.
  void append(const T* values, std::size_t count) {
    grow_to(size_ + count);
    std::copy_n(values, count, data() + size_ - count);
  }
  /// `size` is not below the present one. Memory is kept for an eighth more.
  void grow_to(std::size_t size) {
    if (size > capacity_) reserve(size + size / 8 + 16);
    size_ = size;
  }
  void reserve(std::size_t capacity) {
    if (capacity <= capacity_) return;
    void* const moved = std::realloc(memory_.get(), capacity * sizeof(T));
    if (moved == nullptr) throw std::bad_alloc();
    static_cast<void>(memory_.release());
    memory_.reset(static_cast<T*>(moved));
    capacity_ = capacity;
  }

 private:
  struct Free {
    void operator()(T* memory) const { std::free(memory); }
  };
  std::unique_ptr<T, Free> memory_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace agentlock
