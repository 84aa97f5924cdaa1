#include "cli/report.hpp"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>

#include "agentlock/clock.hpp"
#include "agentlock/verify.hpp"
#include "cli/log_trust.hpp"
#include "cli/report_collector.hpp"
#include "cli/report_file.hpp"
#include "cli/report_page.hpp"
#include "cli/report_second_look.hpp"
#include "cli/terminal_text.hpp"

namespace agentlock::cli {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  TrustedWith trusted;
  std::string output;
  report::Window window;
};

// Each entry takes some kilobytes, of memory and of the page.
constexpr std::uint64_t kMostEntries = 1'000'000;

bool take_number(const std::string& text, std::uint64_t most, std::uint64_t& into) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), into);
  return failure == std::errc() && end == text.data() + text.size() && into > 0 && into <= most;
}

std::optional<Arguments> arguments_of(std::span<const std::string> args) {
  Arguments parsed;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const std::string& name = args[i];
    const bool has_value = i + 1 < args.size();
    if (name == "-o" && has_value) {
      parsed.output = args[++i];
    } else if (name == "--key" && has_value) {
      parsed.trusted.key = args[++i];
    } else if (name == "--secret" && has_value) {
      parsed.trusted.secret = args[++i];
    } else if (name == "--entries" && has_value) {
      if (!take_number(args[++i], kMostEntries, parsed.window.most)) return std::nullopt;
    } else if (name == "--from" && has_value) {
      if (!take_number(args[++i], UINT64_MAX, parsed.window.from)) return std::nullopt;
    } else if (parsed.trusted.log.empty() && !name.starts_with('-')) {
      parsed.trusted.log = name;
    } else {
      return std::nullopt;
    }
  }
  if (parsed.trusted.log.empty() || parsed.output.empty()) return std::nullopt;
  return parsed;
}

Result<report::Model> model_of(const Arguments& arguments, const Trust& trust) {
  const std::string& path = arguments.trusted.log;
  // It is read twice, which a pipe can't be.
  std::error_code failure;
  if (!fs::is_regular_file(path, failure)) {
    return fail(ErrorCode::kIo, path + " is not a file that can be read");
  }
  std::ifstream log(path, std::ios::binary);
  if (!log) return fail(ErrorCode::kIo, path + " cannot be opened");
  report::Collector collector(arguments.window);
  VerifyOptions options = trust.verify_options();
  options.judged = [&](const JudgedLine& line) { collector.take(line); };
  auto verified = verify_log(log, options);
  if (!verified) return tl::unexpected(verified.error());
  report::Model model = collector.finish(std::move(*verified));
  log.clear();
  log.seekg(0);
  if (auto looked = report::look_again(log, model); !looked) {
    return tl::unexpected(looked.error());
  }
  return model;
}

Result<void> write(const report::Model& model, const Arguments& arguments, const Trust& trust,
                   std::ostream& out) {
  report::About about;
  about.log = arguments.trusted.log;
  if (trust.key) about.key = trust.key->hex();
  about.key_file = trust.key_file.string();
  about.made = report::Moment::of(SystemClock().now());
  if (arguments.output == "-") {
    report::write_page(out, model, about);
    if (!out.flush()) return fail(ErrorCode::kIo, "standard output cannot be written");
    return {};
  }
  const std::vector<fs::path> spared = trust.files();
  AGENTLOCK_TRY(file, report::PageFile::open(arguments.output, spared));
  report::write_page(file.out(), model, about);
  return file.finish();
}

void print(const report::Model& model, const Arguments& arguments, std::ostream& err) {
  const VerifyReport& verified = model.verified;
  err << "report: " << printable_ascii(arguments.trusted.log) << ": "
      << to_string(verified.verdict);
  if (verified.first_fault) {
    err << ", first fault: " << to_string(verified.first_fault->kind);
    if (verified.first_fault->line > 0) err << " at line " << verified.first_fault->line;
  }
  const std::uint64_t left_out = model.left_out_before + model.left_out_after;
  err << "; " << model.entries.size() << " entries shown, " << left_out << " left out";
  if (left_out > 0) err << " (see --entries and --from)";
  err << '\n';
}

}  // namespace

int report_command(std::span<const std::string> args, std::ostream& out, std::ostream& err) {
  const auto arguments = arguments_of(args);
  if (!arguments) {
    err << "usage: agentlock-browser report LOG -o FILE|- [--key FILE] [--secret FILE]\n"
           "         [--entries N] [--from LINE]\n";
    return kUsageExit;
  }
  const auto refuse = [&](const Error& error) {
    err << "report: " << printable_ascii(error.describe()) << '\n';
    return kUnreadableExit;
  };
  const auto trust = trust_of(arguments->trusted);
  if (!trust) return refuse(trust.error());
  const auto model = model_of(*arguments, *trust);
  if (!model) return refuse(model.error());
  if (auto written = write(*model, *arguments, *trust, out); !written) {
    return refuse(written.error());
  }
  print(*model, *arguments, err);
  return exit_code(model->verified.verdict);
}

}  // namespace agentlock::cli
