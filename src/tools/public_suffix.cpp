#include "tools/public_suffix.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include <libpsl.h>

namespace agentlock::tools {
namespace {

// Pages of many people under one name, which the list does not hold.
constexpr std::array<std::string_view, 18> kShared = {
    "bitbucket.org",   "codepen.io",        "docs.google.com",  "drive.google.com",
    "dropbox.com",     "gist.github.com",   "github.com",       "gitlab.com",
    "medium.com",      "notion.so",         "pastebin.com",     "raw.githubusercontent.com",
    "reddit.com",      "script.google.com", "sites.google.com", "storage.googleapis.com",
    "sourceforge.net", "telegra.ph"};

struct Free {
  void operator()(psl_ctx_t* list) const { psl_free(list); }
};

// Null where there is none.
const psl_ctx_t* list() {
  static const std::unique_ptr<psl_ctx_t, Free> loaded(psl_latest(nullptr));
  return loaded.get();
}

bool is_address(std::string_view host) {
  return host.starts_with('[') || host.find_first_not_of("0123456789.") == std::string_view::npos;
}

}  // namespace

std::string registrable_domain(std::string_view host) {
  if (list() == nullptr || host.empty() || is_address(host)) return "";
  const std::string name(host);
  const char* domain = psl_registrable_domain(list(), name.c_str());
  return domain == nullptr ? "" : domain;
}

bool is_shared_host(std::string_view host) {
  if (list() == nullptr) return true;
  if (is_address(host)) return false;
  const auto is_under = [&](std::string_view shared) {
    return host == shared ||
           (host.ends_with(shared) && host[host.size() - shared.size() - 1] == '.');
  };
  if (std::ranges::any_of(kShared, is_under)) return true;
  // The nearest suffix of the host that a company runs.
  for (std::string_view rest = host; !rest.empty();) {
    const std::string name(rest);
    if (psl_is_public_suffix2(list(), name.c_str(), PSL_TYPE_PRIVATE | PSL_TYPE_NO_STAR_RULE) !=
        0) {
      return true;
    }
    const std::size_t dot = rest.find('.');
    if (dot == rest.npos) break;
    rest.remove_prefix(dot + 1);
  }
  return false;
}

}  // namespace agentlock::tools
