#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <string_view>

namespace agentlock::test {

/// Texts that look like http, https, ws and wss URLs, most of them a little wrong, in
/// the places where two parsers disagree: a grammar of URLs whose alternatives are odd
/// spellings, and then up to three changes anywhere. The same seed gives the same
/// texts on every machine. They are well-formed UTF-8.
class UrlGenerator {
 public:
  explicit UrlGenerator(std::uint64_t seed) : random_(seed) {}

  std::string next();

 private:
  using Choices = std::initializer_list<std::string_view>;

  bool one_in(std::uint64_t count) { return random_() % count == 0; }
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_() % count); }
  std::string_view pick(Choices choices) { return choices.begin()[below(choices.size())]; }

  std::string scheme();
  std::string userinfo();
  std::string host();
  std::string domain();
  std::string label();
  std::string ipv4();
  std::string ipv6();
  std::string number();
  std::string port();
  std::string path();
  std::string change(std::string url);

  // Its values are fixed by the C++ standard; those of distributions are not.
  std::mt19937_64 random_;
};

}  // namespace agentlock::test
