#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace agentlock {

/// A hash of texts that page authors can't aim at: its keys are random. The keys
/// change how fast an answer comes, never the answer.
class KeyedHash {
 public:
  KeyedHash();
  std::uint64_t operator()(std::string_view text) const;

 private:
  std::uint64_t first_key_;
  std::uint64_t second_key_;
};

/// A hash of texts from which that of any window of a text comes in one step. The
/// base is random, for the same reason.
class WindowHash {
 public:
  WindowHash();
  std::uint64_t operator()(std::string_view text) const;

  class Windows;

 private:
  std::uint64_t step(std::uint64_t hash, char c) const;

  std::uint64_t base_;
};

/// The windows of one text.
class WindowHash::Windows {
 public:
  Windows(const WindowHash& hash, std::string_view text);
  /// Equal to the hash of the `length` bytes from `at` on.
  std::uint64_t operator()(std::size_t at, std::size_t length) const;

 private:
  std::vector<std::uint64_t> prefixes_;
  std::vector<std::uint64_t> powers_;
};

}  // namespace agentlock
