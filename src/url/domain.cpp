// A domain in the form that goes to the network: ASCII, lower case, with labels
// beyond ASCII in Punycode.
//
// The standard lowercases a domain that is ASCII already and leaves it at that,
// "xn--" labels included; all others go through UTS 46, which ICU implements. ICU
// always checks hyphens and lengths and has no switch for them; the standard
// ignores both, so these errors are dropped from its report.
//
// Two inputs are refused although the standard would take them:
//  - U+1E9E, capital sharp s. Unicode before 15.1 maps it to "ss", later versions
//    (and Chromium 156) to a small sharp s: two different hosts. With the data of
//    ICU 72 we would give the wrong one.
//  - domains over 4,096 bytes. A DNS name has at most 253, and normalisation and
//    Punycode take quadratic time in the worst case.
//
// ICU 72 has the data of Unicode 15.0, the test data and Chromium that of a later
// one. What differs is listed in fixtures/wpt-url/known-misses.json. One rule that
// came later would let through what Chromium refuses, so it is checked here: no label
// may be the encoding of one that is itself marked as encoded ("xn--xn--...").

#include "url/domain.hpp"

#include <algorithm>
#include <memory>

#include <unicode/uidna.h>

#include "url/ascii.hpp"

namespace agentlock::url {
namespace {

constexpr std::size_t kMaxDomainBytes = 4096;
constexpr std::string_view kCapitalSharpS = "\xE1\xBA\x9E";

constexpr std::uint32_t kIgnoredErrors =
    UIDNA_ERROR_EMPTY_LABEL | UIDNA_ERROR_LABEL_TOO_LONG | UIDNA_ERROR_DOMAIN_NAME_TOO_LONG |
    UIDNA_ERROR_LEADING_HYPHEN | UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4;

struct CloseIdna {
  void operator()(UIDNA* idna) const { uidna_close(idna); }
};

/// Null if ICU could not load its data.
const UIDNA* shared_idna() {
  static const std::unique_ptr<UIDNA, CloseIdna> idna = [] {
    UErrorCode error = U_ZERO_ERROR;
    std::unique_ptr<UIDNA, CloseIdna> opened(
        uidna_openUTS46(UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ | UIDNA_NONTRANSITIONAL_TO_ASCII |
                            UIDNA_NONTRANSITIONAL_TO_UNICODE,
                        &error));
    if (U_FAILURE(error)) opened.reset();
    return opened;
  }();
  return idna.get();
}

/// https://www.unicode.org/reports/tr46/#Validity_Criteria, number 4, of revision 33.
/// A label is encoded as its ASCII characters first, so few need to be decoded.
bool has_label_encoded_twice(const UIDNA* idna, std::string_view domain) {
  constexpr std::string_view kMark = "xn--";
  for (std::size_t start = 0; start <= domain.size();) {
    const std::size_t end = std::min(domain.find('.', start), domain.size());
    const std::string_view label = domain.substr(start, end - start);
    start = end + 1;
    if (!label.starts_with(kMark) || !label.substr(kMark.size()).starts_with(kMark)) continue;
    std::string decoded(label.size() * 4, '\0');
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    UErrorCode error = U_ZERO_ERROR;
    uidna_labelToUnicodeUTF8(idna, label.data(), static_cast<std::int32_t>(label.size()),
                             decoded.data(), static_cast<std::int32_t>(decoded.size()), &info,
                             &error);
    if (U_FAILURE(error) || decoded.starts_with(kMark)) return true;
  }
  return false;
}

/// https://url.spec.whatwg.org/#domain-parser-toascii with beStrict false.
Parsed<std::string> unicode_to_ascii(std::string_view domain) {
  if (domain.size() > kMaxDomainBytes) return refuse(Fault::kDomainTooLong);
  if (domain.find(kCapitalSharpS) != std::string_view::npos) {
    return refuse(Fault::kDomainCapitalSharpS);
  }
  const UIDNA* idna = shared_idna();
  if (idna == nullptr) return refuse(Fault::kDomainInvalid);

  std::string output(domain.size() * 2 + 64, '\0');
  for (;;) {
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    UErrorCode error = U_ZERO_ERROR;
    const auto length = static_cast<std::size_t>(uidna_nameToASCII_UTF8(
        idna, domain.data(), static_cast<std::int32_t>(domain.size()), output.data(),
        static_cast<std::int32_t>(output.size()), &info, &error));
    // A mapping can make a domain longer than any guess.
    if (error == U_BUFFER_OVERFLOW_ERROR && length > output.size()) {
      output.resize(length);
      continue;
    }
    if (U_FAILURE(error) || (info.errors & ~kIgnoredErrors) != 0) {
      return refuse(Fault::kDomainInvalid);
    }
    output.resize(length);
    if (has_label_encoded_twice(idna, output)) return refuse(Fault::kDomainInvalid);
    return output;
  }
}

/// https://url.spec.whatwg.org/#forbidden-domain-code-point
bool is_forbidden_domain_code_point(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return is_forbidden_host_code_point(c) || byte <= 0x1F || c == '%' || byte == 0x7F;
}

}  // namespace

bool is_forbidden_host_code_point(char c) {
  constexpr std::string_view kForbidden("\0\t\n\r #/:<>?@[\\]^|", 17);
  return kForbidden.find(c) != std::string_view::npos;
}

Parsed<std::string> parse_domain(std::string_view domain) {
  // 1 to 3. The strict result would only give validation errors.
  // 4 and 5. If domain is an ASCII string, then result is domain, lowercased.
  // 6. Otherwise, result is that of Unicode ToASCII; if it is a failure, return failure.
  Parsed<std::string> result = is_ascii(domain) ? to_lower(domain) : unicode_to_ascii(domain);
  if (!result) return result;
  // 7. If result is the empty string, then return failure.
  if (result->empty()) return refuse(Fault::kDomainInvalid);
  // 8. If result contains a forbidden domain code point, then return failure.
  if (std::ranges::any_of(*result, is_forbidden_domain_code_point)) {
    return refuse(Fault::kHostInvalidCodePoint);
  }
  // 9. Return result.
  return result;
}

std::string domain_to_unicode(std::string_view domain) {
  const UIDNA* idna = shared_idna();
  if (idna == nullptr || domain.size() > kMaxDomainBytes) return std::string(domain);
  std::string output(domain.size() * 4 + 64, '\0');
  UIDNAInfo info = UIDNA_INFO_INITIALIZER;
  UErrorCode error = U_ZERO_ERROR;
  const std::int32_t length = uidna_nameToUnicodeUTF8(
      idna, domain.data(), static_cast<std::int32_t>(domain.size()), output.data(),
      static_cast<std::int32_t>(output.size()), &info, &error);
  if (U_FAILURE(error)) return std::string(domain);
  output.resize(static_cast<std::size_t>(length));
  return output;
}

}  // namespace agentlock::url
