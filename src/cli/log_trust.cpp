#include "cli/log_trust.hpp"

#include <cstdlib>

#include "cli/state_folder.hpp"

namespace agentlock::cli {
namespace {

// The key file that the server here would sign with, if that can be told.
std::optional<std::filesystem::path> own_key_file() {
  const char* named = std::getenv("AGENTLOCK_BROWSER_SIGNING_KEY");
  if (named != nullptr && *named != '\0') return std::filesystem::path(named);
  const auto folder = state_folder(std::getenv("HOME"), std::getenv("XDG_STATE_HOME"));
  if (!folder) return std::nullopt;
  return signing_key_in(*folder);
}

}  // namespace

int exit_code(LogVerdict verdict) {
  switch (verdict) {
    case LogVerdict::kVerified:
      return 0;
    case LogVerdict::kBroken:
      return 1;
    case LogVerdict::kUnfinished:
      return 3;
    case LogVerdict::kUnpinned:
      return 4;
  }
  return 1;
}

VerifyOptions Trust::verify_options() const {
  VerifyOptions options;
  options.key = key;
  options.secret = secret ? &*secret : nullptr;
  if (key) options.heads = heads_beside(std::filesystem::absolute(key_file));
  options.log = log;
  return options;
}

std::vector<std::filesystem::path> Trust::files() const {
  std::vector<std::filesystem::path> all = {log};
  if (!key_file.empty()) {
    all.push_back(key_file);
    const auto absolute = std::filesystem::absolute(key_file);
    all.push_back(heads_beside(absolute));
    all.push_back(signing_key_in(absolute.parent_path()));
  }
  if (!secret_file.empty()) all.push_back(secret_file);
  return all;
}

Result<Trust> trust_of(const TrustedWith& named) {
  Trust trust;
  trust.log = named.log;
  const auto own = own_key_file();
  trust.secret_file =
      named.secret ? std::filesystem::path(*named.secret) : own.value_or(std::filesystem::path());
  if (named.key) {
    trust.key_file = *named.key;
  } else if (own) {
    trust.key_file = public_half_beside(*own);
  }
  if (!trust.key_file.empty()) {
    auto key = PublicKey::load(trust.key_file);
    if (key) {
      trust.key = std::move(*key);
    } else if (named.key || key.error().code() != ErrorCode::kNotFound) {
      return tl::unexpected(key.error());
    } else {
      trust.key_file.clear();
    }
  }
  if (named.secret) {
    auto secret = SigningKey::load(std::filesystem::absolute(*named.secret));
    if (!secret) return tl::unexpected(secret.error());
    trust.secret = std::move(*secret);
  } else if (!named.key && own) {
    // Without it HMAC receipts stay unchecked, which the verdict says.
    if (auto secret = SigningKey::load(*own)) trust.secret = std::move(*secret);
  }
  return trust;
}

Result<std::ifstream> open_log(const std::filesystem::path& log) {
  std::error_code failure;
  const auto status = std::filesystem::status(log, failure);
  if (status.type() == std::filesystem::file_type::not_found) {
    return fail(ErrorCode::kIo, log.string() + " does not exist");
  }
  if (!failure && status.type() != std::filesystem::file_type::regular) {
    return fail(ErrorCode::kIo, log.string() + " is no regular file");
  }
  std::ifstream opened(log, std::ios::binary);
  if (!opened) return fail(ErrorCode::kIo, log.string() + " cannot be opened");
  return opened;
}

}  // namespace agentlock::cli
