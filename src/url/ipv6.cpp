#include "url/ipv6.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "url/ascii.hpp"

namespace agentlock::url {
namespace {

/// The standard's pointer into a string; -1 is its EOF code point.
class Cursor {
 public:
  explicit Cursor(std::string_view input) : input_(input) {}

  int c() const { return at(pointer_); }
  int next() const { return at(pointer_ + 1); }
  bool at_end() const { return pointer_ >= input_.size(); }
  void advance(std::size_t by = 1) { pointer_ += by; }
  void go_back(std::size_t by) { pointer_ -= by; }

 private:
  int at(std::size_t i) const {
    return i < input_.size() ? static_cast<unsigned char>(input_[i]) : -1;
  }

  std::string_view input_;
  std::size_t pointer_ = 0;
};

/// Step 6.5 of the IPv6 parser, from "let numbersSeen be 0" on: a dotted IPv4
/// address as the last 32 bits. Returns false on failure.
bool parse_trailing_ipv4(Cursor& cursor, Ipv6Address& address, std::size_t& piece_index) {
  // 6.5.4. Let numbersSeen be 0.
  int numbers_seen = 0;
  // 6.5.5. While c is not the EOF code point:
  while (!cursor.at_end()) {
    // 1. Let ipv4Piece be null.
    std::optional<int> ipv4_piece;
    // 2. If numbersSeen is greater than 0, c must be the next "." of at most three.
    if (numbers_seen > 0) {
      if (cursor.c() != '.' || numbers_seen >= 4) return false;
      cursor.advance();
    }
    // 3. If c is not an ASCII digit, return failure.
    if (!is_digit(cursor.c())) return false;
    // 4. While c is an ASCII digit: add it, and refuse leading zeros and what is over 255.
    while (is_digit(cursor.c())) {
      const int number = cursor.c() - '0';
      if (ipv4_piece == 0) return false;
      ipv4_piece = ipv4_piece.value_or(0) * 10 + number;
      if (*ipv4_piece > 255) return false;
      cursor.advance();
    }
    // 5. Set address[pieceIndex] to address[pieceIndex] * 0x100 + ipv4Piece.
    address[piece_index] = static_cast<std::uint16_t>(address[piece_index] * 0x100 + *ipv4_piece);
    // 6 and 7. Increase numbersSeen by 1; if it is 2 or 4, increase pieceIndex by 1.
    ++numbers_seen;
    if (numbers_seen == 2 || numbers_seen == 4) ++piece_index;
  }
  // 6.5.6. If numbersSeen is not 4, return failure.
  return numbers_seen == 4;
}

/// https://url.spec.whatwg.org/#find-the-ipv6-address-compressed-piece-index: where
/// the first longest run of two or more zero pieces begins, or 8 for none.
std::size_t compressed_piece_index(const Ipv6Address& address) {
  std::size_t longest_index = address.size();
  std::size_t longest_size = 1;
  std::size_t found_size = 0;
  for (std::size_t i = 0; i < address.size(); ++i) {
    found_size = address[i] == 0 ? found_size + 1 : 0;
    if (found_size > longest_size) {
      longest_size = found_size;
      longest_index = i + 1 - found_size;
    }
  }
  return longest_index;
}

std::string shortest_hex(unsigned piece) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (unsigned shift = 16; shift > 0; shift -= 4) {
    const unsigned digit = (piece >> (shift - 4)) & 15U;
    if (digit != 0 || !hex.empty() || shift == 4) hex += kDigits[digit];
  }
  return hex;
}

}  // namespace

Parsed<Ipv6Address> parse_ipv6(std::string_view input) {
  // 1 to 4. Let address be all 0, pieceIndex 0, compress null, pointer at the start.
  Ipv6Address address{};
  std::size_t piece_index = 0;
  std::optional<std::size_t> compress;
  Cursor cursor(input);
  // 5. If c is ":", then the next must be one too, and compression begins here.
  if (cursor.c() == ':') {
    if (cursor.next() != ':') return refuse(Fault::kIpv6Invalid);
    cursor.advance(2);
    compress = ++piece_index;
  }
  // 6. While c is not the EOF code point:
  while (!cursor.at_end()) {
    // 1. If pieceIndex is 8, return failure.
    if (piece_index == address.size()) return refuse(Fault::kIpv6Invalid);
    // 2. If c is ":", then this is the one compression, or failure.
    if (cursor.c() == ':') {
      if (compress) return refuse(Fault::kIpv6Invalid);
      cursor.advance();
      compress = ++piece_index;
      continue;
    }
    // 3 and 4. Read up to four hex digits.
    unsigned value = 0;
    std::size_t length = 0;
    while (length < 4 && is_hex_digit(cursor.c())) {
      value = value * 16 + hex_value(cursor.c());
      cursor.advance();
      ++length;
    }
    // 5. If c is ".", then the digits belong to an IPv4 address.
    if (cursor.c() == '.') {
      if (length == 0) return refuse(Fault::kIpv6Invalid);
      cursor.go_back(length);
      if (piece_index > 6) return refuse(Fault::kIpv6Invalid);
      if (!parse_trailing_ipv4(cursor, address, piece_index)) return refuse(Fault::kIpv6Invalid);
      break;
    }
    if (cursor.c() == ':') {
      // 6. Otherwise, if c is ":", something must follow it.
      cursor.advance();
      if (cursor.at_end()) return refuse(Fault::kIpv6Invalid);
    } else if (!cursor.at_end()) {
      // 7. Otherwise, if c is not the EOF code point, return failure.
      return refuse(Fault::kIpv6Invalid);
    }
    // 8. A leading zero is only a validation error.
    // 9 and 10. Set address[pieceIndex] to value and increase pieceIndex by 1.
    address[piece_index++] = static_cast<std::uint16_t>(value);
  }
  if (compress) {
    // 7. Move the pieces after the compression to the end.
    std::size_t swaps = piece_index - *compress;
    piece_index = 7;
    while (piece_index != 0 && swaps > 0) {
      std::swap(address[piece_index], address[*compress + swaps - 1]);
      --piece_index;
      --swaps;
    }
  } else if (piece_index != address.size()) {
    // 8. Otherwise, if pieceIndex is not 8, return failure.
    return refuse(Fault::kIpv6Invalid);
  }
  // 9. Return address.
  return address;
}

std::string serialize_ipv6(const Ipv6Address& address) {
  // 1 to 3. Let output be empty, compress the run to shorten, ignore0 false.
  std::string output;
  const std::size_t compress = compressed_piece_index(address);
  bool ignore0 = false;
  // 4. For each pieceIndex:
  for (std::size_t i = 0; i < address.size(); ++i) {
    // 1 and 2. Skip the zeros of the run that is shortened.
    if (ignore0 && address[i] == 0) continue;
    ignore0 = false;
    // 3. If compress is pieceIndex, write "::" or the second ":" of it.
    if (compress == i) {
      output += i == 0 ? "::" : ":";
      ignore0 = true;
      continue;
    }
    // 4 and 5. Append the piece, and ":" unless it is the last one.
    output += shortest_hex(address[i]);
    if (i != 7) output += ':';
  }
  return output;
}

}  // namespace agentlock::url
