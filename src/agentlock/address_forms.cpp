#include "agentlock/address_forms.hpp"

// Which encoded form of a recorded address begins at a given place of a parameter? Each
// form begins with ten bytes that depend on the first bytes of the address alone. A filter
// knows them all, so at nearly every place the answer is: none.
//
// Where the filter says that one may begin, the parameter is read back from there, digit
// by digit, in each of the ways in which it can be read (bit_paths.hpp). Whenever what was
// read is as long as some address is, it is looked up among the addresses, and what is
// found is encoded again and compared. A form of base64 that begins or ends within a byte
// leaves some of its bits open; those are tried. The whole of a token's base64 counts as a
// form only if it has no letter beyond f, and then its length leaves no open bits: it is
// the first of the three interiors.
//
// A percent form reads back in one way, except for addresses that hold `%2e` and the like
// themselves: the hashes of their forms are stored.
//
// Cost: linear in the parameter where nothing begins; where something does, by the number
// of different lengths that addresses have. Against a text that was made so that one
// parameter can be read in hundreds of ways, all addresses are gone through.

#include <algorithm>
#include <array>
#include <utility>

#include "agentlock/bit_paths.hpp"
#include "agentlock/percent_form.hpp"
#include "agentlock/word_tokens.hpp"

namespace agentlock {
namespace {

constexpr std::array kInteriors = {Encoding::kInterior0, Encoding::kInterior1,
                                   Encoding::kInterior2};
constexpr std::size_t kMaxPaths = 256;
// Bytes of the shortest address of which hex and base64 are needles, and all that their
// first ten digits stand for.
constexpr std::size_t kStart = 8;
// Bits of the first byte that come before an interior begins.
constexpr std::array kBefore = {0U, 4U, 2U};

// The first digits of hex or lowercase base64 that begins after so many bits.
std::string_view digits_of(std::uint64_t bits, unsigned before, unsigned width,
                           std::string_view alphabet, std::array<char, kMinNeedleBytes>& digits) {
  bits <<= before;
  for (char& digit : digits) {
    digit = alphabet[bits >> (64 - width)];
    bits <<= width;
  }
  return {digits.data(), digits.size()};
}

}  // namespace

void AddressForms::add(Span address) {
  if (address.length() >= has_length_.size()) has_length_.resize(address.length() + 1);
  has_length_[address.length()] = true;
  const std::string_view token = pieces_.at(address.place(), address.length());
  if (token.size() >= kStart) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < kStart; ++i) {
      bits = bits << 8U | static_cast<unsigned char>(token[i]);
    }
    std::array<char, kMinNeedleBytes> digits;
    starts_.add(hash_(digits_of(bits, 0, 4, kHexDigits, digits)));
    for (const unsigned before : kBefore) {
      starts_.add(hash_(digits_of(bits, before, 6, kLowerBase64Digits, digits)));
    }
  }
  encode(token.substr(0, kMinNeedleBytes), Encoding::kPercent, form_);
  if (form_.size() >= kMinNeedleBytes) {
    starts_.add(hash_(std::string_view(form_).substr(0, kMinNeedleBytes)));
  }
  if (is_percent_ambiguous(token)) add_ambiguous(address, encode(token, Encoding::kPercent));
}

void AddressForms::add_ambiguous(Span address, std::string_view form) {
  ambiguous_index_.insert(hash_(form), ambiguous_.size());
  ambiguous_.push_back(address);
  const auto at = std::ranges::lower_bound(ambiguous_lengths_, form.size());
  if (at == ambiguous_lengths_.end() || *at != form.size()) {
    ambiguous_lengths_.insert(at, form.size());
  }
}

// One parameter's search, and the best that was found.
class AddressForms::Search {
 public:
  Search(const AddressForms& forms, std::string_view text, const EntryOf& entry_of)
      : forms_(forms), text_(text), entry_of_(entry_of) {}

  std::optional<Found> run() {
    for (std::size_t at = 0; at + kMinNeedleBytes <= text_.size(); ++at) {
      const std::string_view rest = text_.substr(at);
      if (!forms_.starts_.may_hold(forms_.hash_(rest.substr(0, kMinNeedleBytes)))) continue;
      read_hex(rest);
      read_percent(rest);
      find_ambiguous(rest);
      for (std::size_t phase = 0; phase < kInteriors.size(); ++phase) read_base64(rest, phase);
    }
    return std::move(first_);
  }

 private:
  void read_hex(std::string_view rest) {
    std::string bytes;
    for (std::size_t at = 0; at + 2 <= rest.size(); at += 2) {
      const int high = hex_digit(rest[at])[0];
      const int low = hex_digit(rest[at + 1])[0];
      if (high < 0 || low < 0) return;
      bytes += static_cast<char>(high * 16 + low);
      try_address(bytes, Encoding::kHex, rest);
    }
  }

  void read_percent(std::string_view rest) {
    std::string bytes;
    for (std::size_t at = 0; at < rest.size() && !holds_escaped(rest.substr(at, 1));) {
      const PercentByte byte = first_of_percent(rest.substr(at));
      bytes += byte.plain;
      at += byte.length;
      try_address(bytes, Encoding::kPercent, rest);
    }
  }

  void read_base64(std::string_view rest, std::size_t phase) {
    BitPaths reader(forms_.pieces_, kBefore[phase], BitPaths::FirstByte::kGuessed);
    for (const char c : rest) {
      reader.read(base64_digit(c), 6);
      if (reader.paths().empty()) return;
      if (reader.paths().size() > kMaxPaths) return try_all(rest, kInteriors[phase]);
      for (const BitPaths::Path& path : reader.paths()) try_path(path, kInteriors[phase], rest);
    }
  }

  // An address may end where a path has come to, with the path's open bits as the first
  // ones of its last byte.
  void try_path(const BitPaths::Path& path, Encoding encoding, std::string_view rest) {
    if (path.bits == 0) return try_address(path.bytes, encoding, rest);
    // Two bits more would have been given by one more digit.
    if (path.bits == 2 || !forms_.has_length(path.bytes.size() + 1)) return;
    const unsigned open = 8 - path.bits;
    for (unsigned value = 0; value < 1U << open; ++value) {
      const char last = static_cast<char>(path.value << open | value);
      if (!path.bytes.empty() && !forms_.pieces_.holds_pair(path.bytes.back(), last)) continue;
      try_address(path.bytes + last, encoding, rest);
    }
  }

  void try_address(const std::string& bytes, Encoding encoding, std::string_view rest) {
    if (!forms_.has_length(bytes.size())) return;
    if (const auto entry = entry_of_(bytes)) try_form(bytes, *entry, encoding, rest);
  }

  void try_form(std::string_view address, std::size_t entry, Encoding encoding,
                std::string_view rest) {
    std::string form = encode(address, encoding);
    if (!rest.starts_with(form) || !is_needle(form, encoding)) return;
    Found found{entry, std::move(form)};
    if (!first_ || found < *first_) first_ = std::move(found);
  }

  void find_ambiguous(std::string_view rest) {
    for (const std::size_t length : forms_.ambiguous_lengths_) {
      if (length > rest.size()) return;
      // Each hit is looked at, so none is "the one that is meant".
      const auto look = [&](std::uint64_t number) {
        const Span span = forms_.ambiguous_[number];
        const std::string_view address = forms_.pieces_.at(span.place(), span.length());
        if (const auto entry = entry_of_(address)) {
          try_form(address, *entry, Encoding::kPercent, rest);
        }
        return false;
      };
      static_cast<void>(forms_.ambiguous_index_.find(forms_.hash_(rest.substr(0, length)), look));
    }
  }

  void try_all(std::string_view rest, Encoding encoding) {
    WordTokens tokens(1);  // no address is shorter
    const PieceText& pieces = forms_.pieces_;
    for (std::size_t place = 0; place < pieces.size();) {
      const PieceText::Piece piece = pieces.around(place);
      place += piece.text.size() + 1;
      if (piece.kind == PieceKind::kAddress) {
        try_found(piece.text, encoding, rest);
      } else if (piece.kind == PieceKind::kWord) {
        for (const TokenView& token : tokens.of(piece.text, traits_of(piece.text))) {
          try_found(token.text, encoding, rest);
        }
      }
    }
  }

  void try_found(std::string_view token, Encoding encoding, std::string_view rest) {
    if (!rest.starts_with(encode(token, encoding))) return;
    if (const auto entry = entry_of_(token)) try_form(token, *entry, encoding, rest);
  }

  const AddressForms& forms_;
  std::string_view text_;
  const EntryOf& entry_of_;
  std::optional<Found> first_;
};

std::optional<AddressForms::Found> AddressForms::first_in(std::string_view lowered,
                                                          const EntryOf& entry_of) const {
  if (has_length_.empty()) return std::nullopt;
  return Search(*this, lowered, entry_of).run();
}

}  // namespace agentlock
