#pragma once

#include <algorithm>
#include <memory>
#include <string_view>

namespace agentlock::test {

/// A copy of a text in a heap block of exactly its size, so that AddressSanitizer
/// sees a parser that reads one byte too far.
class ExactBuffer {
 public:
  explicit ExactBuffer(std::string_view text) : bytes_(new char[text.size()]), size_(text.size()) {
    std::ranges::copy(text, bytes_.get());
  }

  std::string_view view() const { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_;
};

}  // namespace agentlock::test
