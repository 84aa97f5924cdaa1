#include "cli/report_members.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace agentlock::cli::report {
namespace {

constexpr std::size_t kMostMembers = 40;
constexpr int kMostLevels = 6;

Excerpt value_excerpt(const Json& value, std::size_t most) {
  if (value.is_string()) return excerpt(value.get_ref<const std::string&>(), most);
  return excerpt(to_line(value), most);
}

class Flattening {
 public:
  Flattening(Members& into, std::size_t most_text) : into_(into), most_text_(most_text) {}

  void add(const std::string& path, const Json& value, int level) {
    const bool nested = value.is_structured() && !value.empty() && level < kMostLevels;
    if (!nested) {
      if (into_.list.size() < kMostMembers) {
        into_.list.push_back({excerpt(path), value_excerpt(value, most_text_)});
      } else {
        ++into_.left_out;
      }
      return;
    }
    if (into_.list.size() >= kMostMembers) {
      into_.left_out += value.size();
      return;
    }
    if (value.is_array()) {
      for (std::size_t i = 0; i < value.size(); ++i) {
        add(path + '[' + std::to_string(i) + ']', value[i], level + 1);
      }
    } else {
      for (const auto& [key, one] : value.items()) {
        add(path.empty() ? key : path + '.' + key, one, level + 1);
      }
    }
  }

 private:
  Members& into_;
  std::size_t most_text_;
};

}  // namespace

Excerpt text_member(const Json& object, std::string_view key, std::size_t most) {
  const Json* value = member(object, key);
  if (value == nullptr || value->is_null()) return {};
  return value_excerpt(*value, most);
}

bool true_member(const Json& object, std::string_view key) {
  const Json* value = member(object, key);
  return value != nullptr && value->is_boolean() && value->get<bool>();
}

std::uint64_t count_member(const Json& object, std::string_view key) {
  const Json* value = member(object, key);
  return value != nullptr && value->is_number_unsigned() ? value->get<std::uint64_t>() : 0;
}

Members members_in(const Json& value, std::initializer_list<std::string_view> without,
                   std::size_t most_text) {
  Members members;
  Flattening flattening(members, most_text);
  if (!value.is_object()) {
    flattening.add("", value, 0);
    return members;
  }
  for (const auto& [key, one] : value.items()) {
    if (std::ranges::find(without, key) == without.end()) flattening.add(key, one, 1);
  }
  return members;
}

}  // namespace agentlock::cli::report
