#pragma once

#include <array>
#include <string>
#include <string_view>

namespace agentlock::url {

/// A set of the bytes that are written as %XX. Every set holds the C0 controls and
/// all that is above `~`, so all bytes of code points beyond ASCII.
/// https://url.spec.whatwg.org/#percent-encode-set
class PercentEncodeSet {
 public:
  /// `parent` and the ASCII characters of `more`.
  constexpr PercentEncodeSet(const PercentEncodeSet& parent, std::string_view more)
      : bytes_(parent.bytes_) {
    for (const char c : more) bytes_[static_cast<unsigned char>(c)] = true;
  }
  /// https://url.spec.whatwg.org/#c0-control-percent-encode-set
  static constexpr PercentEncodeSet c0_control() { return PercentEncodeSet(); }

  constexpr bool contains(char c) const { return bytes_[static_cast<unsigned char>(c)]; }

 private:
  constexpr PercentEncodeSet() {
    for (unsigned byte = 0; byte < bytes_.size(); ++byte) bytes_[byte] = byte < 0x20 || byte > 0x7E;
  }

  std::array<bool, 256> bytes_{};
};

inline constexpr auto kC0ControlSet = PercentEncodeSet::c0_control();
/// https://url.spec.whatwg.org/#fragment-percent-encode-set
inline constexpr PercentEncodeSet kFragmentSet(kC0ControlSet, " \"<>`");
/// https://url.spec.whatwg.org/#query-percent-encode-set
inline constexpr PercentEncodeSet kQuerySet(kC0ControlSet, " \"#<>");
/// https://url.spec.whatwg.org/#special-query-percent-encode-set
inline constexpr PercentEncodeSet kSpecialQuerySet(kQuerySet, "'");
/// https://url.spec.whatwg.org/#path-percent-encode-set
inline constexpr PercentEncodeSet kPathSet(kQuerySet, "?^`{}");
/// https://url.spec.whatwg.org/#userinfo-percent-encode-set
inline constexpr PercentEncodeSet kUserinfoSet(kPathSet, "/:;=@[\\]|");

/// Appends one byte of UTF-8, encoded if `set` holds it.
void append_encoded(std::string& output, char byte, const PercentEncodeSet& set);

/// https://url.spec.whatwg.org/#string-utf-8-percent-encode
std::string percent_encode(std::string_view utf8, const PercentEncodeSet& set);

/// https://url.spec.whatwg.org/#string-percent-decode
std::string percent_decode(std::string_view input);

}  // namespace agentlock::url
