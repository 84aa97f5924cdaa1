#include "agentlock/needle_index.hpp"

// Direction A asks which encoded form of a recorded url or e-mail stands in a parameter.
// The forms are not stored. Their hashes are, and those of their first ten bytes: at each
// place of the parameter the ten bytes there are looked up, and only where some form
// begins so, the hashes of the lengths that occur. A hit is made again from its address
// and compared.
//
// Cost: linear in the parameter unless it is full of beginnings of encoded forms, and then
// at worst multiplied by the number of their lengths.

#include <algorithm>
#include <array>
#include <utility>

namespace agentlock {
namespace {

constexpr std::array kForms = {Encoding::kBase64,    Encoding::kHex,       Encoding::kPercent,
                               Encoding::kInterior0, Encoding::kInterior1, Encoding::kInterior2};
constexpr std::uint64_t kEncodings = 8;  // a power of two with room for all

bool any(std::uint64_t) { return true; }

}  // namespace

void NeedleIndex::add(Span address) {
  const std::uint64_t first = addresses_.size() * kEncodings;
  const std::string_view token = pieces_.at(address.place(), address.length());
  bool is_new = false;
  for (const Encoding encoding : kForms) {
    encode(token, encoding, encoded_);
    if (!is_needle(encoded_, encoding)) continue;
    const std::uint64_t hash = hash_(encoded_);
    const auto same = [&](std::uint64_t number) { return text_of(number) == encoded_; };
    if (forms_.find(hash, same)) continue;
    if (!std::exchange(is_new, true)) addresses_.push_back(address);
    forms_.insert(hash, first + static_cast<std::uint64_t>(encoding));
    add_length(encoded_.size());
    const std::uint64_t start = hash_(std::string_view(encoded_).substr(0, kMinNeedleBytes));
    if (!starts_.find(start, any)) starts_.insert(start, 0);
  }
}

void NeedleIndex::add_length(std::size_t length) {
  if (length >= has_length_.size()) has_length_.resize(length + 1);
  if (has_length_[length]) return;
  has_length_[length] = true;
  lengths_.insert(std::ranges::upper_bound(lengths_, length), length);
}

std::string_view NeedleIndex::address_of(std::uint64_t number) const {
  const Span address = addresses_[number / kEncodings];
  return pieces_.at(address.place(), address.length());
}

std::string NeedleIndex::text_of(std::uint64_t number) const {
  return encode(address_of(number), static_cast<Encoding>(number % kEncodings));
}

std::optional<NeedleIndex::Needle> NeedleIndex::first_in(std::string_view lowered) const {
  std::optional<Needle> first;
  if (forms_.size() == 0) return first;
  for (std::size_t at = 0; at + kMinNeedleBytes <= lowered.size(); ++at) {
    if (!starts_.find(hash_(lowered.substr(at, kMinNeedleBytes)), any)) continue;
    for (const std::size_t length : lengths_) {
      if (at + length > lowered.size()) break;
      const std::string_view there = lowered.substr(at, length);
      const auto same = [&](std::uint64_t number) { return text_of(number) == there; };
      const auto number = forms_.find(hash_(there), same);
      if (!number) continue;
      const Span address = addresses_[*number / kEncodings];
      Needle needle{pieces_.entry_of(address.place()), std::string(there)};
      if (!first || needle < *first) first = std::move(needle);
    }
  }
  return first;
}

}  // namespace agentlock
