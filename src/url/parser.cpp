// The standard's state machine, one function for each state, without the state
// override (nothing here sets parts of a URL) and without legacy encodings (all
// text is UTF-8). Steps that would only report a validation error are left out.
//
// It runs over the bytes of well-formed UTF-8 instead of over code points. That is
// the same thing: each code point that the standard compares with is ASCII, no byte
// of a longer sequence looks like one, and percent-encoding such a code point is
// percent-encoding each of its bytes.
//
// Percent-encoding happens byte by byte as the states read, also where the
// standard collects a buffer first (query): with UTF-8 the result is the same.
//
// Paths are kept serialised (record.hpp), so "append segment" is "append a slash and
// the segment", and "shorten" cuts at the last slash.
//
// The pointer only goes back over what the states host and authority read twice and
// by single steps, so the time is linear in the input.

#include "url/parser.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "agentlock/origin.hpp"
#include "url/ascii.hpp"
#include "url/host.hpp"
#include "url/percent.hpp"
#include "url/serializer.hpp"
#include "url/utf8.hpp"

namespace agentlock::url {
namespace {

/// Nothing if parsing goes on.
using Outcome = std::optional<Fault>;
constexpr std::nullopt_t kGoOn = std::nullopt;

constexpr int kEof = -1;

/// https://url.spec.whatwg.org/#windows-drive-letter
bool is_windows_drive_letter(std::string_view text) {
  return text.size() == 2 && is_alpha(text[0]) && (text[1] == ':' || text[1] == '|');
}

/// https://url.spec.whatwg.org/#start-with-a-windows-drive-letter
bool starts_with_windows_drive_letter(std::string_view text) {
  if (!is_windows_drive_letter(text.substr(0, 2))) return false;
  return text.size() == 2 || std::string_view("/\\?#").find(text[2]) != std::string_view::npos;
}

/// The first segment of a serialised list path, with its slash.
std::string_view first_segment(std::string_view path) {
  return path.substr(0, std::min(path.find('/', 1), path.size()));
}

/// True for "/C:": a segment that is a normalized Windows drive letter, with its slash.
bool is_drive_segment(std::string_view segment) {
  return segment.size() == 3 && is_windows_drive_letter(segment.substr(1)) && segment[2] == ':';
}

/// https://url.spec.whatwg.org/#single-dot-path-segment
bool is_single_dot(std::string_view segment) {
  return segment == "." || (segment.size() == 3 && to_lower(segment) == "%2e");
}

/// https://url.spec.whatwg.org/#double-dot-path-segment
bool is_double_dot(std::string_view segment) {
  if (segment.size() < 2 || segment.size() > 6) return false;
  const std::string lower = to_lower(segment);
  return lower == ".." || lower == ".%2e" || lower == "%2e." || lower == "%2e%2e";
}

/// https://url.spec.whatwg.org/#shorten-a-urls-path
void shorten_path(Record& url) {
  // 1. Assert: url does not have an opaque path. 2. Let path be url's path.
  // 3. A file URL keeps a drive letter that stands alone.
  if (url.scheme == "file" && is_drive_segment(url.path)) return;
  // 4. Remove path's last item, if any.
  if (!url.path.empty()) url.path.erase(url.path.rfind('/'));
}

/// Leading and trailing C0 controls and spaces go, and tabs and newlines anywhere.
std::string clean(std::string_view input) {
  const auto is_outer = [](char c) { return static_cast<unsigned char>(c) <= 0x20; };
  while (!input.empty() && is_outer(input.front())) input.remove_prefix(1);
  while (!input.empty() && is_outer(input.back())) input.remove_suffix(1);
  std::string text = to_well_formed_utf8(input);
  std::erase_if(text, [](char c) { return c == '\t' || c == '\n' || c == '\r'; });
  return text;
}

class Parser {
 public:
  Parser(std::string_view input, const Record* base) : input_(clean(input)), base_(base) {}

  /// https://url.spec.whatwg.org/#concept-basic-url-parser, from step 9 on.
  Parsed<Record> run() && {
    for (;; ++pointer_) {
      if (const Outcome fault = (this->*state_)()) return refuse(*fault);
      if (pointer_ == end()) break;
    }
    serialize_into(url_);
    return std::move(url_);
  }

 private:
  using State = Outcome (Parser::*)();

  std::ptrdiff_t end() const { return static_cast<std::ptrdiff_t>(input_.size()); }
  int at(std::ptrdiff_t i) const {
    return i < end() ? static_cast<unsigned char>(input_[static_cast<std::size_t>(i)]) : kEof;
  }
  int c() const { return at(pointer_); }
  int next() const { return at(pointer_ + 1); }
  std::string_view from_pointer() const {
    return std::string_view(input_).substr(static_cast<std::size_t>(pointer_));
  }

  HostKind host_kind() const { return url_.is_special() ? HostKind::kDomain : HostKind::kOpaque; }
  bool is_special_backslash() const { return c() == '\\' && url_.is_special(); }
  bool is_authority_end() const {
    return c() == kEof || c() == '/' || c() == '?' || c() == '#' || is_special_backslash();
  }
  bool base_is_file() const { return base_ != nullptr && base_->scheme == "file"; }

  void copy_authority_from_base() {
    url_.username = base_->username;
    url_.password = base_->password;
    url_.host = base_->host;
    url_.port = base_->port;
  }
  void enter_query() {
    url_.query = "";
    state_ = &Parser::query;
  }
  void enter_fragment() {
    url_.fragment = "";
    state_ = &Parser::fragment;
  }
  void enter_and_look_again(State state) {
    state_ = state;
    --pointer_;
  }

  Outcome scheme_start();
  Outcome scheme();
  Outcome no_scheme();
  Outcome special_relative_or_authority();
  Outcome path_or_authority();
  Outcome relative();
  Outcome relative_slash();
  Outcome special_authority_slashes();
  Outcome special_authority_ignore_slashes();
  Outcome authority();
  Outcome host();
  Outcome port();
  Outcome file();
  Outcome file_slash();
  Outcome file_host();
  Outcome path_start();
  Outcome path();
  Outcome opaque_path();
  Outcome query();
  Outcome fragment();

  std::string input_;
  const Record* base_;
  Record url_;
  State state_ = &Parser::scheme_start;
  std::string buffer_;
  std::ptrdiff_t pointer_ = 0;
  bool at_sign_seen_ = false;
  bool inside_brackets_ = false;
  bool password_token_seen_ = false;
};

/// https://url.spec.whatwg.org/#scheme-start-state
Outcome Parser::scheme_start() {
  if (is_alpha(c())) {
    // 1. If c is an ASCII alpha, append it, lowercased, to buffer; scheme state.
    buffer_ += to_lower(static_cast<char>(c()));
    state_ = &Parser::scheme;
  } else {
    // 2. Otherwise, no scheme state, and decrease pointer by 1.
    enter_and_look_again(&Parser::no_scheme);
  }
  return kGoOn;
}

/// https://url.spec.whatwg.org/#scheme-state
Outcome Parser::scheme() {
  // 1. If c is an ASCII alphanumeric, "+", "-" or ".", append it, lowercased, to buffer.
  if (is_alpha(c()) || is_digit(c()) || c() == '+' || c() == '-' || c() == '.') {
    buffer_ += to_lower(static_cast<char>(c()));
    return kGoOn;
  }
  // 3. Otherwise, if c is not ":", start over in no scheme state.
  if (c() != ':') {
    buffer_.clear();
    state_ = &Parser::no_scheme;
    pointer_ = -1;
    return kGoOn;
  }
  // 2. Otherwise:
  // 2.2. Set url's scheme to buffer. 2.4. Set buffer to the empty string.
  url_.scheme = std::exchange(buffer_, "");
  if (url_.scheme == "file") {
    // 2.5. If url's scheme is "file", file state.
    state_ = &Parser::file;
  } else if (url_.is_special() && base_ != nullptr && base_->scheme == url_.scheme) {
    // 2.6. Otherwise, if url is special and base has its scheme, special relative or
    // authority state.
    state_ = &Parser::special_relative_or_authority;
  } else if (url_.is_special()) {
    // 2.7. Otherwise, if url is special, special authority slashes state.
    state_ = &Parser::special_authority_slashes;
  } else if (next() == '/') {
    // 2.8. Otherwise, if remaining starts with "/", path or authority state.
    state_ = &Parser::path_or_authority;
    ++pointer_;
  } else {
    // 2.9. Otherwise, set url's path to the empty string; opaque path state.
    url_.has_opaque_path = true;
    state_ = &Parser::opaque_path;
  }
  return kGoOn;
}

/// https://url.spec.whatwg.org/#no-scheme-state
Outcome Parser::no_scheme() {
  // 1. If base is null, or base has an opaque path and c is not "#", return failure.
  if (base_ == nullptr || (base_->has_opaque_path && c() != '#')) return Fault::kMissingScheme;
  if (base_->has_opaque_path) {
    // 2. Otherwise, if base has an opaque path, take scheme, path and query from it.
    url_.scheme = base_->scheme;
    url_.path = base_->path;
    url_.has_opaque_path = true;
    url_.query = base_->query;
    enter_fragment();
  } else if (base_->scheme != "file") {
    // 3. Otherwise, if base's scheme is not "file", relative state.
    enter_and_look_again(&Parser::relative);
  } else {
    // 4. Otherwise, file state.
    enter_and_look_again(&Parser::file);
  }
  return kGoOn;
}

/// https://url.spec.whatwg.org/#special-relative-or-authority-state
Outcome Parser::special_relative_or_authority() {
  if (c() == '/' && next() == '/') {
    // 1. If "//" comes next, special authority ignore slashes state.
    state_ = &Parser::special_authority_ignore_slashes;
    ++pointer_;
  } else {
    // 2. Otherwise, relative state.
    enter_and_look_again(&Parser::relative);
  }
  return kGoOn;
}

/// https://url.spec.whatwg.org/#path-or-authority-state
Outcome Parser::path_or_authority() {
  if (c() == '/') {
    // 1. If c is "/", authority state.
    state_ = &Parser::authority;
  } else {
    // 2. Otherwise, path state.
    enter_and_look_again(&Parser::path);
  }
  return kGoOn;
}

/// https://url.spec.whatwg.org/#relative-state
Outcome Parser::relative() {
  // 1. Assert: base's scheme is not "file". 2. Set url's scheme to base's scheme.
  url_.scheme = base_->scheme;
  // 3 and 4. If c is "/", or url is special and c is "\", relative slash state.
  if (c() == '/' || is_special_backslash()) {
    state_ = &Parser::relative_slash;
    return kGoOn;
  }
  // 5.1. Otherwise, take everything but the fragment from base.
  copy_authority_from_base();
  url_.path = base_->path;
  url_.query = base_->query;
  if (c() == '?') {
    // 5.2. If c is "?", query state.
    enter_query();
  } else if (c() == '#') {
    // 5.3. Otherwise, if c is "#", fragment state.
    enter_fragment();
  } else if (c() != kEof) {
    // 5.4. Otherwise, if c is not the EOF code point, drop query and last segment; path state.
    url_.query.reset();
    shorten_path(url_);
    enter_and_look_again(&Parser::path);
  }
  return kGoOn;
}

/// https://url.spec.whatwg.org/#relative-slash-state
Outcome Parser::relative_slash() {
  if (url_.is_special() && (c() == '/' || c() == '\\')) {
    // 1. If url is special and c is "/" or "\", special authority ignore slashes state.
    state_ = &Parser::special_authority_ignore_slashes;
  } else if (c() == '/') {
    // 2. Otherwise, if c is "/", authority state.
    state_ = &Parser::authority;
  } else {
    // 3. Otherwise, take credentials, host and port from base; path state.
    copy_authority_from_base();
    enter_and_look_again(&Parser::path);
  }
  return kGoOn;
}

/// https://url.spec.whatwg.org/#special-authority-slashes-state
Outcome Parser::special_authority_slashes() {
  if (c() == '/' && next() == '/') {
    // 1. If "//" comes next, skip it.
    state_ = &Parser::special_authority_ignore_slashes;
    ++pointer_;
  } else {
    // 2. Otherwise, the same state, from c on.
    enter_and_look_again(&Parser::special_authority_ignore_slashes);
  }
  return kGoOn;
}

/// https://url.spec.whatwg.org/#special-authority-ignore-slashes-state
Outcome Parser::special_authority_ignore_slashes() {
  // 1. If c is neither "/" nor "\", authority state. 2. A validation error only.
  if (c() != '/' && c() != '\\') enter_and_look_again(&Parser::authority);
  return kGoOn;
}

/// https://url.spec.whatwg.org/#authority-state
Outcome Parser::authority() {
  if (c() == '@') {
    // 1. If c is "@", then buffer is the credentials, or more of them.
    // 1.2 and 1.3. An earlier "@" belongs to the credentials.
    if (at_sign_seen_) buffer_.insert(0, "%40");
    at_sign_seen_ = true;
    // 1.4. For each codePoint in buffer: to the password after the first ":".
    for (const char byte : buffer_) {
      if (byte == ':' && !password_token_seen_) {
        password_token_seen_ = true;
        continue;
      }
      append_encoded(password_token_seen_ ? url_.password : url_.username, byte, kUserinfoSet);
    }
    // 1.5. Set buffer to the empty string.
    buffer_.clear();
  } else if (is_authority_end()) {
    // 2. Otherwise, if the authority ends here:
    // 2.1. If atSignSeen is true and buffer is the empty string, return failure.
    if (at_sign_seen_ && buffer_.empty()) return Fault::kHostMissing;
    // 2.2. Go back to the start of buffer; host state.
    pointer_ -= static_cast<std::ptrdiff_t>(buffer_.size()) + 1;
    buffer_.clear();
    state_ = &Parser::host;
  } else {
    // 3. Otherwise, append c to buffer.
    buffer_ += static_cast<char>(c());
  }
  return kGoOn;
}

/// https://url.spec.whatwg.org/#host-state
Outcome Parser::host() {
  // 2. If c is ":" outside of brackets, or 3. if the authority ends here:
  const bool port_follows = c() == ':' && !inside_brackets_;
  if (port_follows || is_authority_end()) {
    // 2.1 and 3.1. An empty host is failure before a port and in a special URL.
    if (buffer_.empty() && (port_follows || url_.is_special())) return Fault::kHostMissing;
    // 2.3, 2.4, 3.3 and 3.4. Let host be the result of host parsing buffer.
    auto parsed = parse_host(buffer_, host_kind());
    if (!parsed) return parsed.error();
    // 2.5 and 3.5. Set url's host to host; port state or path start state.
    url_.host = std::move(*parsed);
    buffer_.clear();
    if (port_follows) {
      state_ = &Parser::port;
    } else {
      enter_and_look_again(&Parser::path_start);
    }
    return kGoOn;
  }
  // 4. Otherwise, keep track of brackets and append c to buffer.
  if (c() == '[') inside_brackets_ = true;
  if (c() == ']') inside_brackets_ = false;
  buffer_ += static_cast<char>(c());
  return kGoOn;
}

/// https://url.spec.whatwg.org/#port-state
Outcome Parser::port() {
  if (is_digit(c())) {
    // 1. If c is an ASCII digit, append it to buffer.
    buffer_ += static_cast<char>(c());
    return kGoOn;
  }
  // 3. Otherwise, unless the authority ends here, return failure.
  if (!is_authority_end()) return Fault::kPortInvalid;
  // 2.1. If buffer is not the empty string:
  if (!buffer_.empty()) {
    // 2.1.1 and 2.1.2. Let port be its value; over 16 bits, return failure.
    std::uint16_t port = 0;
    const auto parsed = std::from_chars(buffer_.data(), buffer_.data() + buffer_.size(), port);
    if (parsed.ec != std::errc()) return Fault::kPortOutOfRange;
    // 2.1.3. Set url's port to null if it is the scheme's default port, otherwise to port.
    if (default_port(url_.scheme) != port) url_.port = port;
    // 2.1.4. Set buffer to the empty string.
    buffer_.clear();
  }
  // 2.3. Path start state.
  enter_and_look_again(&Parser::path_start);
  return kGoOn;
}

/// https://url.spec.whatwg.org/#file-state
Outcome Parser::file() {
  // 1 and 2. Set url's scheme to "file" and its host to the empty string.
  url_.scheme = "file";
  url_.host = "";
  // 3. If c is "/" or "\", file slash state.
  if (c() == '/' || c() == '\\') {
    state_ = &Parser::file_slash;
    return kGoOn;
  }
  // 5. Without a file base, path state.
  if (!base_is_file()) {
    enter_and_look_again(&Parser::path);
    return kGoOn;
  }
  // 4.1. Otherwise, take host, path and query from base.
  url_.host = base_->host;
  url_.path = base_->path;
  url_.query = base_->query;
  if (c() == '?') {
    // 4.2. If c is "?", query state.
    enter_query();
  } else if (c() == '#') {
    // 4.3. Otherwise, if c is "#", fragment state.
    enter_fragment();
  } else if (c() != kEof) {
    // 4.4. Otherwise, drop the query and the last segment, or the whole path if what
    // follows starts with a Windows drive letter; path state.
    url_.query.reset();
    if (starts_with_windows_drive_letter(from_pointer())) {
      url_.path.clear();
    } else {
      shorten_path(url_);
    }
    enter_and_look_again(&Parser::path);
  }
  return kGoOn;
}

/// https://url.spec.whatwg.org/#file-slash-state
Outcome Parser::file_slash() {
  // 1. If c is "/" or "\", file host state.
  if (c() == '/' || c() == '\\') {
    state_ = &Parser::file_host;
    return kGoOn;
  }
  // 2.1. Otherwise, take the host from a file base, and its drive letter if none follows.
  if (base_is_file()) {
    url_.host = base_->host;
    const std::string_view first = first_segment(base_->path);
    if (!starts_with_windows_drive_letter(from_pointer()) && is_drive_segment(first)) {
      url_.path += first;
    }
  }
  // 2.2. Path state.
  enter_and_look_again(&Parser::path);
  return kGoOn;
}

/// https://url.spec.whatwg.org/#file-host-state
Outcome Parser::file_host() {
  // 2. If the host does not end here, append c to buffer.
  if (!is_authority_end()) {
    buffer_ += static_cast<char>(c());
    return kGoOn;
  }
  if (is_windows_drive_letter(buffer_)) {
    // 1.1. If buffer is a Windows drive letter, path state, which goes on with buffer.
    enter_and_look_again(&Parser::path);
    return kGoOn;
  }
  if (buffer_.empty()) {
    // 1.2. Otherwise, if buffer is the empty string, so is the host.
    url_.host = "";
  } else {
    // 1.3. Otherwise, parse it; "localhost" is the empty string.
    auto parsed = parse_host(buffer_, host_kind());
    if (!parsed) return parsed.error();
    url_.host = *parsed == "localhost" ? std::string() : std::move(*parsed);
    buffer_.clear();
  }
  enter_and_look_again(&Parser::path_start);
  return kGoOn;
}

/// https://url.spec.whatwg.org/#path-start-state
Outcome Parser::path_start() {
  if (url_.is_special()) {
    // 1. If url is special, path state, after a "/" or "\" if there is one.
    state_ = &Parser::path;
    if (c() != '/' && c() != '\\') --pointer_;
  } else if (c() == '?') {
    // 2. Otherwise, if c is "?", query state.
    enter_query();
  } else if (c() == '#') {
    // 3. Otherwise, if c is "#", fragment state.
    enter_fragment();
  } else if (c() != kEof) {
    // 4. Otherwise, if c is not the EOF code point, path state, after a "/" if there is one.
    state_ = &Parser::path;
    if (c() != '/') --pointer_;
  }
  return kGoOn;
}

/// https://url.spec.whatwg.org/#path-state
Outcome Parser::path() {
  const bool is_slash = c() == '/' || is_special_backslash();
  // 2. If the segment does not end here, append c, encoded, to buffer.
  if (c() != kEof && !is_slash && c() != '?' && c() != '#') {
    append_encoded(buffer_, static_cast<char>(c()), kPathSet);
    return kGoOn;
  }
  // 1. Otherwise:
  if (is_double_dot(buffer_)) {
    // 1.2. "..": drop the last segment; at the end of the path an empty one follows.
    shorten_path(url_);
    if (!is_slash) url_.path += '/';
  } else if (is_single_dot(buffer_)) {
    // 1.3. ".": at the end of the path an empty segment follows.
    if (!is_slash) url_.path += '/';
  } else {
    // 1.4. Otherwise, append buffer to url's path; a drive letter as "C:".
    if (url_.scheme == "file" && url_.path.empty() && is_windows_drive_letter(buffer_)) {
      buffer_[1] = ':';
    }
    url_.path += '/';
    url_.path += buffer_;
  }
  // 1.5. Set buffer to the empty string.
  buffer_.clear();
  // 1.6 and 1.7. If c is "?", query state; if it is "#", fragment state.
  if (c() == '?') enter_query();
  if (c() == '#') enter_fragment();
  return kGoOn;
}

/// https://url.spec.whatwg.org/#cannot-be-a-base-url-path-state
Outcome Parser::opaque_path() {
  if (c() == '?') {
    // 1. If c is "?", query state.
    enter_query();
  } else if (c() == '#') {
    // 2. Otherwise, if c is "#", fragment state.
    enter_fragment();
  } else if (c() == ' ') {
    // 3. Otherwise, if c is a space, append it, encoded if it is the last of the path.
    url_.path += next() == '?' || next() == '#' ? "%20" : " ";
  } else if (c() != kEof) {
    // 4. Otherwise, append c, encoded, to url's path.
    append_encoded(url_.path, static_cast<char>(c()), kC0ControlSet);
  }
  return kGoOn;
}

/// https://url.spec.whatwg.org/#query-state
Outcome Parser::query() {
  if (c() == '#') {
    // 2. If c is "#", fragment state.
    enter_fragment();
  } else if (c() != kEof) {
    // 3. Otherwise, append c, encoded by the set of special URLs or of others.
    append_encoded(*url_.query, static_cast<char>(c()),
                   url_.is_special() ? kSpecialQuerySet : kQuerySet);
  }
  return kGoOn;
}

/// https://url.spec.whatwg.org/#fragment-state
Outcome Parser::fragment() {
  // 1. If c is not the EOF code point, append it, encoded, to url's fragment.
  if (c() != kEof) append_encoded(*url_.fragment, static_cast<char>(c()), kFragmentSet);
  return kGoOn;
}

}  // namespace

Parsed<Record> parse_record(std::string_view input, const Record* base) {
  return Parser(input, base).run();
}

}  // namespace agentlock::url
