#include "agentlock/log_line.hpp"

#include <array>
#include <cstdio>
#include <ctime>

#include <nlohmann/json.hpp>

#include "agentlock/sha256.hpp"

namespace agentlock {
namespace {

constexpr std::string_view kBeforeHash = ",\"hash\":\"";
constexpr std::string_view kAfterHash = "\"}";
constexpr std::size_t kHashSize = 64;
constexpr std::size_t kTailSize = kBeforeHash.size() + kHashSize + kAfterHash.size();

}  // namespace

std::string first_prev() { return std::string(kHashSize, '0'); }

std::string open_line(const Json& object) {
  std::string line = object.dump(-1, ' ', true, Json::error_handler_t::replace);
  line.pop_back();
  return line;
}

void close_line(std::string& line, std::string_view prev, std::string& hash) {
  hash = sha256_hex(prev, line);
  line += kBeforeHash;
  line += hash;
  line += kAfterHash;
  line += '\n';
}

std::string sealed_bytes(std::string_view prev, std::string_view open_line) {
  // The words before the hash keep a seal from passing as a signature over a head.
  return "agentlock-browser line seal " + sha256_hex(prev, open_line);
}

std::optional<LogLine> split_line(std::string_view line) {
  if (line.size() < kTailSize) return std::nullopt;
  const std::string_view body = line.substr(0, line.size() - kTailSize);
  const std::string_view tail = line.substr(body.size());
  const std::string_view hash = tail.substr(kBeforeHash.size(), kHashSize);
  if (!tail.starts_with(kBeforeHash) || !tail.ends_with(kAfterHash) ||
      hash.find_first_not_of("0123456789abcdef") != std::string_view::npos) {
    return std::nullopt;
  }
  return LogLine{body, hash};
}

std::string iso_time(std::int64_t microseconds) {
  const std::time_t seconds = microseconds / 1'000'000;
  std::tm utc{};
  ::gmtime_r(&seconds, &utc);
  std::array<char, 80> text{};
  const int length =
      std::snprintf(text.data(), text.size(), "%04d-%02d-%02dT%02d:%02d:%02d.%06dZ",
                    utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min,
                    utc.tm_sec, static_cast<int>(microseconds % 1'000'000));
  return std::string(text.data(), static_cast<std::size_t>(length));
}

}  // namespace agentlock
