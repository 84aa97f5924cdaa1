#include "tools/typed_values.hpp"

#include <utility>

namespace agentlock::tools {
namespace {

constexpr std::size_t kMaxValues = 16;

}  // namespace

void TypedValues::look_at(const browser::Tab& tab) {
  if (target_ == tab.target() && page_load_ == tab.frames().page_load()) return;
  target_ = tab.target();
  page_load_ = tab.frames().page_load();
  values_.clear();
}

std::vector<std::string> TypedValues::on(const browser::Tab& tab) {
  look_at(tab);
  return {values_.begin(), values_.end()};
}

void TypedValues::add(const browser::Tab& tab, std::string value) {
  look_at(tab);
  values_.push_back(std::move(value));
  if (values_.size() > kMaxValues) values_.pop_front();
}

}  // namespace agentlock::tools
