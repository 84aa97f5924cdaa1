#include "agentlock/encoded_search.hpp"

// The published engine appends to an entry's text the base64, hex and percent forms of
// all its tokens, which is four times the tokens' own length, and looks whether a token of
// a parameter stands in that. Here nothing is appended. A text that stands in an encoded
// form says, but for a few bits, which bytes stand in the token (encoded_guess.cpp); those
// are searched for in the recorded pieces, and at each place where they are the tokens of
// the piece are found again, and the part of the token that matters is encoded and
// compared. So what is found is exactly what a search through all forms would find.
//
// A percent form reads back in one way, except for that of a token that holds `%2e` or the
// like itself: the owner records such forms as texts.
//
// Cost: as for any search, by the number of places where the bytes stand.

#include <algorithm>
#include <functional>
#include <iterator>

#include "agentlock/character_classes.hpp"
#include "agentlock/encoded_guess.hpp"
#include "agentlock/percent_form.hpp"

namespace agentlock {
namespace {

bool consists_of(std::string_view text, std::string_view characters) {
  return text.find_first_not_of(characters) == std::string_view::npos;
}

// Whether the whole form is long enough to be searched.
bool is_long_enough(std::string_view token, Encoding encoding) {
  switch (encoding) {
    case Encoding::kHex:
      return token.size() * 2 >= kMinEncodedLength;
    case Encoding::kBase64:
      return (token.size() + 2) / 3 * 4 >= kMinEncodedLength;
    default:
      return token.size() >= kMinEncodedLength * 4 ||
             count_code_points(encode(token, encoding)) >= kMinEncodedLength;
  }
}

// Whether the form of a token's last bytes begins with a text, after what is skipped.
bool stands_in(std::string_view text, Encoding encoding, std::size_t skipped,
               std::string_view bytes) {
  // All groups in which the text stands: a byte has one digit at least, and three bytes
  // are a group of base64.
  const std::size_t enough = (skipped + text.size() + 2) / 3 * 3;
  return encode(bytes.substr(0, enough), encoding).substr(skipped).starts_with(text);
}

// The token of a list in which a byte lies, or nothing.
std::string_view token_over(const std::vector<std::string_view>& tokens, const char* byte) {
  const auto after = std::ranges::upper_bound(tokens, byte, {}, &std::string_view::data);
  if (after == tokens.begin()) return {};
  const std::string_view token = *std::prev(after);
  return byte < token.data() + token.size() ? token : std::string_view();
}

}  // namespace

std::size_t EncodedSearch::find(std::string_view text, std::size_t end) {
  found_ = end;
  search_hex(text);
  search_base64(text);
  search_percent(text);
  return found_ < end ? found_ : PieceText::kNotFound;
}

void EncodedSearch::search_hex(std::string_view text) {
  if (!consists_of(text, "0123456789abcdef")) return;
  for (std::size_t skipped = 0; skipped < 2; ++skipped) {
    for (const auto& [bytes, lead] : hex_guesses(text, skipped, pieces_)) {
      search({text, Encoding::kHex, skipped}, bytes, lead);
    }
  }
}

void EncodedSearch::search_base64(std::string_view text) {
  const std::string_view digits = text.substr(0, text.find_last_not_of('=') + 1);
  if (!consists_of(digits, "abcdefghijklmnopqrstuvwxyz0123456789+/")) return;
  for (std::size_t skipped = 0; skipped < 4; ++skipped) {
    for (const auto& [bytes, lead] : base64_guesses(text, skipped, pieces_)) {
      search({text, Encoding::kBase64, skipped}, bytes, lead);
    }
  }
}

void EncodedSearch::search_percent(std::string_view text) {
  if (holds_escaped(text)) return;
  // The text may be a part of one escape; or one begins before it, or ends behind it.
  for (const PercentEscape& escape : kPercentEscapes) {
    const std::size_t skipped = escape.written.find(text);
    if (skipped == std::string_view::npos) continue;
    search({text, Encoding::kPercent, skipped}, std::string_view(&escape.plain, 1), 0);
  }
  const auto with_end = [&](const std::string& plain, std::string_view rest, std::size_t skipped) {
    const Form form{text, Encoding::kPercent, skipped};
    if (plain != text) search(form, plain, 0);
    for (const PercentEscape& escape : kPercentEscapes) {
      for (std::size_t cut = 1; cut < escape.written.size(); ++cut) {
        const std::string_view start = escape.written.substr(0, cut);
        if (!rest.ends_with(start)) continue;
        search(form, plain.substr(0, plain.size() - cut) + escape.plain, 0);
      }
    }
  };
  with_end(plain_of_percent(text), text, 0);
  for (const PercentEscape& escape : kPercentEscapes) {
    for (std::size_t skipped = 1; skipped < escape.written.size(); ++skipped) {
      const std::string_view end = escape.written.substr(skipped);
      if (!text.starts_with(end)) continue;
      const std::string_view rest = text.substr(end.size());
      with_end(escape.plain + plain_of_percent(rest), rest, skipped);
    }
  }
}

void EncodedSearch::search(const Form& form, std::string_view bytes, std::ptrdiff_t lead) {
  for (std::size_t place = pieces_.find(bytes); place < found_;
       place = pieces_.find(bytes, place + 1)) {
    // Before the text's beginning, this is a number beyond all places.
    const std::size_t begin = place - static_cast<std::size_t>(lead);
    if (begin >= found_ || !is_at(form, begin)) continue;
    found_ = begin;
    return;
  }
}

bool EncodedSearch::is_at(const Form& form, std::size_t place) {
  look_at(place);
  const char* const byte = piece_.text.data() + (place - piece_.place);
  const auto holds = [&](std::string_view token) {
    if (token.empty() || !is_long_enough(token, form.encoding)) return false;
    const auto before = static_cast<std::size_t>(byte - token.data());
    if (form.encoding == Encoding::kBase64 && before % 3 != 0) return false;
    // Most of what is no hit differs soon.
    return stands_in(form.text.substr(0, 16), form.encoding, form.skipped, token.substr(before)) &&
           stands_in(form.text, form.encoding, form.skipped, token.substr(before));
  };
  return holds(token_over(emails_, byte)) || holds(token_over(urls_, byte)) ||
         holds(token_over(words_, byte));
}

void EncodedSearch::look_at(std::size_t place) {
  if (place - piece_.place <= piece_.text.size() && piece_.place <= place) return;
  piece_ = pieces_.around(place);
  emails_.clear();
  urls_.clear();
  words_.clear();
  if (piece_.kind == PieceKind::kToken || piece_.kind == PieceKind::kAddress) {
    words_.push_back(piece_.text);
  }
  if (piece_.kind != PieceKind::kWord) return;
  for (const TokenView& token : tokens_.of(piece_.text, traits_of(piece_.text))) {
    const std::less_equal<const char*> before;
    if (!before(piece_.text.data(), token.text.data()) ||
        !before(token.text.data(), piece_.text.data() + piece_.text.size())) {
      continue;  // a canonical form, which is a piece of its own
    }
    auto& tokens = token.kind == TokenKind::kEmail ? emails_
                   : token.kind == TokenKind::kUrl ? urls_
                                                   : words_;
    tokens.push_back(token.text);
  }
}

}  // namespace agentlock
