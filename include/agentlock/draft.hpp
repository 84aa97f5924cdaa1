#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "agentlock/page_text.hpp"

namespace agentlock {

/// Text that holds nothing from a page: an id that we minted, a word of the gate,
/// what the client itself sent. Saying so takes this type's name, so that each
/// such place can be found.
class OwnText {
 public:
  explicit OwnText(std::string text) : text_(std::move(text)) {}
  explicit OwnText(std::string_view text) : text_(text) {}
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// A result before it is handed to a client: a tree shaped like JSON whose strings
/// are either ours (string literals, OwnText) or a page's (PageText). A plain
/// std::string does not convert, and nothing but disclose() turns it into JSON.
class Draft {
 public:
  using Array = std::vector<Draft>;
  using Object = std::vector<std::pair<std::string, Draft>>;
  using Value = std::variant<bool, std::int64_t, OwnText, PageText, Array, Object>;

  static Draft array() { return Draft(Value(Array{})); }
  static Draft object() { return Draft(Value(Object{})); }

  Draft(bool value) : value_(value) {}
  Draft(std::int64_t value) : value_(value) {}
  template <std::size_t N>
  Draft(const char (&literal)[N]) : value_(OwnText(std::string_view(literal, N - 1))) {}
  Draft(OwnText text) : value_(std::move(text)) {}
  Draft(PageText text) : value_(std::move(text)) {}
  Draft(const std::string&) = delete;
  template <typename T>
    requires std::is_pointer_v<T>
  Draft(T) = delete;  // a char pointer would become true

  /// For objects. The key is a name of ours.
  template <std::size_t N>
  Draft& set(const char (&key)[N], Draft value) {
    std::get<Object>(value_).emplace_back(std::string(key, N - 1), std::move(value));
    return *this;
  }
  /// For arrays.
  Draft& push(Draft value) {
    std::get<Array>(value_).push_back(std::move(value));
    return *this;
  }

  bool is_empty_array() const {
    const auto* array = std::get_if<Array>(&value_);
    return array != nullptr && array->empty();
  }

 private:
  friend class Disclosure;
  explicit Draft(Value value) : value_(std::move(value)) {}

  Value value_;
};

}  // namespace agentlock
