#pragma once

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/report.hpp"
#include "cli/report_collector.hpp"
#include "cli/report_second_look.hpp"
#include "unit/cli/log_user.hpp"
#include "unit/cli/story.hpp"

namespace agentlock::test {

struct Reported {
  int code;
  std::string page;  ///< if it was asked for on standard output
  std::string said;
};

inline Reported run_report(std::vector<std::string> args) {
  std::ostringstream out;
  std::ostringstream err;
  const int code = cli::report_command(args, out, err);
  return {code, out.str(), err.str()};
}

/// The page of a log, on standard output.
inline Reported report_of(const std::filesystem::path& log, std::vector<std::string> more = {}) {
  std::vector<std::string> args = {log.string(), "-o", "-"};
  args.insert(args.end(), more.begin(), more.end());
  return run_report(std::move(args));
}

/// What a reader sees: the body's text, without markup, white space folded.
inline std::string text_of(const std::string& page) {
  std::string text;
  const std::size_t body = page.find("<body>");
  bool in_tag = false;
  for (const char c : page.substr(body == std::string::npos ? 0 : body)) {
    if (c == '<') in_tag = true;
    const bool space = in_tag ? false : c == ' ' || c == '\n';
    if (!in_tag && !(space && (text.empty() || text.back() == ' '))) text += space ? ' ' : c;
    if (c == '>') in_tag = false;
  }
  const std::pair<std::string_view, std::string_view> entities[] = {
      {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&amp;", "&"}};
  for (const auto& [from, to] : entities) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
      text.replace(at, from.size(), to);
    }
  }
  return text;
}

inline bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

inline std::size_t count_of(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) {
    ++count;
  }
  return count;
}

/// The model of a log's bytes, as the command makes it.
inline cli::report::Model model_of(const std::string& bytes, const SigningKey& key,
                                   cli::report::Window window = {}) {
  cli::report::Collector collector(window);
  VerifyOptions options;
  options.key = key.public_key();
  options.judged = [&](const JudgedLine& line) { collector.take(line); };
  std::istringstream first(bytes);
  auto model = collector.finish(*verify_log(first, options));
  std::istringstream again(bytes);
  REQUIRE(cli::report::look_again(again, model));
  return model;
}

}  // namespace agentlock::test
