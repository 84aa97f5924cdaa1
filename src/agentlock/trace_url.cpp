#include <algorithm>
#include <array>
#include <utility>

#include "agentlock/closed_lineage.hpp"
#include "agentlock/ledger.hpp"
#include "agentlock/operator_text.hpp"
#include "agentlock/page_fold.hpp"
#include "agentlock/spelling.hpp"
#include "agentlock/trace_part.hpp"
#include "agentlock/url_parts.hpp"

// An address is judged in two: whether its origin is one that the operator wrote, and
// then each part behind it as if it were typed, since the part is what the address
// would carry there.

namespace agentlock {
namespace {

// Rows of parts that are looked at as one code.
constexpr std::size_t kMaxPieces = 16;

bool is_same_host(std::string_view one, std::string_view other) {
  const auto bare = [](std::string_view host) {
    return host.starts_with("www.") ? host.substr(4) : host;
  };
  return bare(one) == bare(other);
}

// Spelling equivalence of origins: a scheme that is missing, http written and https
// used, www., default ports (gate.md, section 4).
bool names_origin(const OperatorUrl& written, const Origin& target) {
  const Origin origin = written.url.origin();
  if (!is_same_host(origin.host(), target.host())) return false;
  if (!written.has_scheme && !written.url.port()) {
    return target.port() == default_port(target.scheme());
  }
  if (!written.has_scheme) return target.port() == origin.port();
  if (origin.scheme() == target.scheme()) return origin.port() == target.port();
  return origin.scheme() == "http" && origin.port() == 80 && target.port() == 443;
}

bool is_downgrade(const OperatorUrl& written, const Origin& target) {
  return written.has_scheme && written.url.scheme() == "https" && target.scheme() == "http" &&
         is_same_host(written.url.host(), target.host());
}

Traced from_page(PageFind find) {
  return {Channel::kPage, find.rule, find.matched, std::move(find)};
}

Traced trace_foreign_host(const Ledger& ledger, const Url& target) {
  const PageSearch pages(ledger);
  if (auto found = pages.find_token(target.href())) return from_page(*std::move(found));
  if (auto found = pages.find_host(target.host())) return from_page(*std::move(found));
  return {Channel::kModel, "novel_host", target.host(), {}};
}

// A code that was cut into parts: each row of them, joined.
std::optional<PageFind> find_pieces(const PageSearch& pages,
                                    const std::vector<std::string>& parts) {
  for (std::size_t begin = 0; begin < parts.size(); ++begin) {
    std::string joined;
    const std::size_t stop = std::min(parts.size(), begin + kMaxPieces);
    for (std::size_t end = begin; end < stop; ++end) {
      joined += fold_joined(parts[end]);
      if (end == begin) continue;
      if (auto found = pages.find_joined(joined, "page_pieces")) return found;
    }
  }
  return std::nullopt;
}

template <typename Use>
void each_list(const UrlParts& parts, Use use) {
  for (const auto* list : std::array{&parts.path, &parts.keys, &parts.values, &parts.fragment}) {
    use(*list);
  }
}

// Words that the target's own pages show are no data of another's; what holds a digit
// or a sign is judged wherever it comes from.
Traced trace_parts(const Ledger& ledger, LineageMode mode, const Url& target) {
  const OperatorText& operator_text = ledger.operator_text();
  const PageSearch pages(ledger);
  const PartSearch search{pages, PageSearch(ledger, target.origin())};
  Traced worst{Channel::kUser, "operator_host", "", {}};
  each_list(parts_of(target), [&](const std::vector<std::string>& list) {
    std::vector<std::string> left;
    for (const std::string& part : list) {
      if (worst.channel == Channel::kPage) return;
      if (operator_text.has_url_part(part)) continue;
      Traced traced = trace_part(ledger, search, part);
      if (traced.channel == Channel::kUser) continue;
      left.push_back(part);
      if (traced.channel == Channel::kUnclassified) {
        if (mode != LineageMode::kRequire) continue;
        traced = require_part(ledger, part, std::move(traced));
      }
      if (traced.channel == Channel::kPage || worst.channel == Channel::kUser) {
        worst = std::move(traced);
      }
    }
    if (worst.channel == Channel::kPage) return;
    if (auto found = find_pieces(pages, left)) worst = from_page(*std::move(found));
  });
  return worst;
}

}  // namespace

Traced trace_url(const Ledger& ledger, LineageMode mode, const Url& target) {
  const std::vector<OperatorUrl>& urls = ledger.operator_text().urls();
  const Origin origin = target.origin();
  const auto is_named = [&](const OperatorUrl& written) { return names_origin(written, origin); };
  if (std::ranges::none_of(urls, is_named)) {
    const bool downgrade = std::ranges::any_of(
        urls, [&](const OperatorUrl& written) { return is_downgrade(written, origin); });
    if (downgrade) return {Channel::kModel, "downgrade", target.host(), {}};
    return trace_foreign_host(ledger, target);
  }
  const bool is_written = std::ranges::any_of(urls, [&](const OperatorUrl& written) {
    return is_named(written) && is_same_resource(written.url, target);
  });
  if (is_written) return {Channel::kUser, "operator_url", "", {}};
  return trace_parts(ledger, mode, target);
}

std::optional<Traced> trace_carried(const Ledger& ledger, const Url& target) {
  const OperatorText& operator_text = ledger.operator_text();
  const PageSearch foreign(ledger, target.origin());
  const PartSearch search{foreign, foreign, false};
  std::optional<Traced> carried;
  each_list(parts_of(target), [&](const std::vector<std::string>& list) {
    std::vector<std::string> left;
    for (const std::string& part : list) {
      if (carried) return;
      if (operator_text.has_url_part(part)) continue;
      Traced traced = trace_part(ledger, search, part);
      if (traced.channel == Channel::kUser) continue;
      left.push_back(part);
      if (traced.channel == Channel::kPage) carried = std::move(traced);
    }
    if (carried) return;
    if (auto found = find_pieces(foreign, left)) carried = from_page(*std::move(found));
  });
  return carried;
}

}  // namespace agentlock
