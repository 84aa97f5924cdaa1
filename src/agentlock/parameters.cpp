#include "agentlock/parameters.hpp"

// JSON read event by event, because a tree of JSON values loses what AgentLock's
// answers depend on: integers beyond 64 bits (they arrive as a double, but with the
// digits as written beside it), and the first place of a repeated key. Depth is
// counted here: the parser itself has no bound, and a Parameter is destroyed by
// recursion.

#include <unordered_map>

#include <nlohmann/json.hpp>

namespace agentlock {
namespace {

constexpr std::size_t kMaxDepth = 512;

class Builder {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  bool null() { return put(Parameter()); }
  bool boolean(bool value) { return put(Parameter(value)); }
  bool number_integer(number_integer_t value) {
    return put(Parameter(Parameter::Integer{std::to_string(value)}));
  }
  bool number_unsigned(number_unsigned_t value) {
    return put(Parameter(Parameter::Integer{std::to_string(value)}));
  }
  bool number_float(number_float_t value, const string_t& written) {
    if (written.find_first_of(".eE") == std::string::npos) {
      return put(Parameter(Parameter::Integer{written}));
    }
    return put(Parameter(value));
  }
  bool string(string_t& value) { return put(Parameter(std::move(value))); }
  bool binary(binary_t&) { return false; }

  bool start_object(std::size_t) { return open(true); }
  bool key(string_t& name) {
    key_ = std::move(name);
    return true;
  }
  bool end_object() { return close(); }
  bool start_array(std::size_t) { return open(false); }
  bool end_array() { return close(); }

  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) {
    return false;
  }

  bool too_deep() const { return too_deep_; }
  Parameter take() { return std::move(root_); }

 private:
  struct Open {
    bool is_object;
    std::string key;  // of this container in its parent
    Parameter::Object members;
    std::unordered_map<std::string, std::size_t> places;
    Parameter::Array items;
  };

  bool open(bool is_object) {
    if (open_.size() == kMaxDepth) {
      too_deep_ = true;
      return false;
    }
    open_.push_back(Open{is_object, std::move(key_), {}, {}, {}});
    return true;
  }

  bool close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    key_ = std::move(done.key);
    return put(done.is_object ? Parameter(std::move(done.members))
                              : Parameter(std::move(done.items)));
  }

  bool put(Parameter value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return true;
    }
    Open& parent = open_.back();
    if (!parent.is_object) {
      parent.items.push_back(std::move(value));
      return true;
    }
    const auto [place, fresh] = parent.places.try_emplace(key_, parent.members.size());
    if (fresh) {
      parent.members.emplace_back(std::move(key_), std::move(value));
    } else {
      parent.members[place->second].second = std::move(value);
    }
    return true;
  }

  std::vector<Open> open_;
  std::string key_;
  Parameter root_;
  bool too_deep_ = false;
};

}  // namespace

Parameter text_parameters(std::string key, std::string text) {
  Parameter::Object members;
  members.emplace_back(std::move(key), Parameter(std::move(text)));
  return Parameter(std::move(members));
}

Result<Parameter> parse_parameters(std::string_view json) {
  Builder builder;
  if (!nlohmann::json::sax_parse(json.begin(), json.end(), &builder)) {
    if (builder.too_deep()) {
      return fail(ErrorCode::kLimit,
                  "JSON nested deeper than " + std::to_string(kMaxDepth) + " levels");
    }
    return fail(ErrorCode::kProtocol, "not valid JSON");
  }
  return builder.take();
}

}  // namespace agentlock
