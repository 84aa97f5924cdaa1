#include "support/url_generator.hpp"

#include <array>
#include <vector>

namespace agentlock::test {
namespace {

/// Where each code point of well-formed UTF-8 begins, and the end.
std::vector<std::size_t> code_point_starts(std::string_view text) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) starts.push_back(i);
  }
  starts.push_back(text.size());
  return starts;
}

std::string escaped(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += '%';
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 15U];
  }
  return text;
}

/// The full-width form of a printable ASCII character: U+FF01 to U+FF5E.
std::string full_width(char c) {
  const unsigned point = 0xFF00U + static_cast<unsigned char>(c) - 0x20U;
  std::string text;
  text += static_cast<char>(0xE0U | (point >> 12U));
  text += static_cast<char>(0x80U | ((point >> 6U) & 0x3FU));
  text += static_cast<char>(0x80U | (point & 0x3FU));
  return text;
}

bool is_printable(char c) { return c > 0x20 && c < 0x7F; }

}  // namespace

std::string UrlGenerator::scheme() {
  if (!one_in(8)) return std::string(pick({"http://", "https://", "https://", "http://"}));
  if (one_in(2)) return std::string(pick({"ws://", "wss://", "WS://", "Wss:/"}));
  return std::string(pick({"http:",
                           "https:/",
                           "https:///",
                           "http:////",
                           "https:\\\\",
                           "http:/\\",
                           "HTTP://",
                           "hTtPs://",
                           "ht\ttp://",
                           "http\n://",
                           "\x01https://",
                           " https://",
                           "http:\t//",
                           "https//",
                           "http:/\t/",
                           "https:\\/\\",
                           "\thttp:\\",
                           "https :/"
                           "/",
                           "//",
                           "https&colon;//"}));
}

std::string UrlGenerator::userinfo() {
  if (!one_in(7)) return "";
  return std::string(pick({"user@",
                           "u:p@",
                           "@",
                           ":@",
                           "a@b@",
                           "u:p:q@",
                           "%40@",
                           "\xC3\xBC@",
                           "a%2Fb@",
                           "a\\b@",
                           "a/b@",
                           "a?b@",
                           "a#b@",
                           "good.test:80@",
                           "good.test%00@",
                           "[::1]@",
                           "\xEF\xBC\xA0@",
                           "u%3Ap@",
                           " @",
                           "\t@"}));
}

std::string UrlGenerator::label() {
  switch (below(24)) {
    case 0:
      return std::string(
          pick({"", "-", "a-", "-a", "a--b", "ab--c", "_dmarc", "xn--", "xn--a", "xn--a-", "xn--0",
                "XN--bcher-kva", "xn--nxasmq6b", "xn--strae-oqa", "xn--zca", "xn--ls8h",
                "xn--xn---epa", "xn--55qx5d", "xn--80ak6aa92e"}));
    case 1:
      return std::string(
          pick({"b\xC3\xBC"
                "cher",
                "BU\xCC\x88"
                "CHER",
                "stra\xC3\x9F"
                "e",
                "STRA\xE1\xBA\x9E"
                "E",
                "\xCE\xBF\xCF\x83", "\xCE\xA3", "\xC4\xB0stanbul", "\xC4\xB1", "\xE2\x84\xAA",
                "\xEF\xAC\x81n", "\xE2\x91\xA0", "\xC2\xB2", "\xE2\x84\xA1", "\xE3\x8E\x8F",
                "\xE2\x82\xA8"}));
    case 2:
      return std::string(
          pick({"p\xD0\xB0ypal", "\xD0\xB0pple", "g\xD0\xBE\xD0\xBEgle",
                "\xF0\x9D\x90\x9A\xF0\x9D\x90\x9B", "\xE4\xBE\x8B\xE3\x81\x88",
                "\xE6\xB5\x8B\xE8\xAF\x95", "\xD7\x90\xD7\x91", "a\xD7\x90",
                "\xD8\xA7"
                "1",
                "\xD9\xA1\xD8\xA7", "\xE0\xA4\x95\xE0\xA5\x8D\xE2\x80\x8D\xE0\xA4\xB7",
                "a\xE2\x80\x8D"
                "b",
                "a\xE2\x80\x8C"
                "b",
                "\xE0\xB9\x80", "\xF0\x9F\x98\x80", "\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA"}));
    case 3: {
      std::string wide;
      for (const char c : pick({"example", "evil", "a1", "127", "0x7f", "%41", "a.b", "-"}))
        wide += full_width(c);
      return wide;
    }
    case 4:
      return std::string(
          pick({"ex\xC2\xAD"
                "ample",
                "e\xE2\x80\x8B"
                "vil",
                "a\xE2\x81\xA0"
                "b",
                "\xEF\xBB\xBFx",
                "a\xCD\x8F"
                "b",
                "a\xEF\xB8\x8F"
                "b",
                "\xE1\xA0\x8E", "a\xF3\xA0\x81\xA1",
                "a\xE2\x80\xAE"
                "b",
                "\xCC\x81"
                "a",
                "a\xE3\x85\xA4", "\xC2\xAD",
                "a\xC2\xA0"
                "b",
                "a\xE3\x80\x80"
                "b"}));
    case 5:
      return std::string(pick({"%61bc",
                               "a%2Eb",
                               "%2E",
                               "a%00",
                               "a%20b",
                               "%C3%BC",
                               "%E3%80%82",
                               "%",
                               "%4",
                               "%zz",
                               "%25",
                               "%2541",
                               "a%2Fb",
                               "a%40b",
                               "%EF%BC%85"
                               "41",
                               "%80",
                               "%C3",
                               "%5Bx",
                               "a%3A80",
                               "%AD"}));
    case 6: {
      if (one_in(6))
        return std::string(pick({"a", "ab", "\xC3\xBC"})) + std::string(60 + below(300), 'x');
      return std::string(1 + below(3), static_cast<char>('a' + below(26)));
    }
    case 7:
      return std::string(pick({"a!b",
                               "a$b",
                               "a&b",
                               "a'b",
                               "a(b",
                               "a)b",
                               "a*b",
                               "*",
                               "a+b",
                               "a,b",
                               "a;b",
                               "a=b",
                               "a_b",
                               "a`b",
                               "a{b",
                               "a}b",
                               "a~b",
                               "a\"b",
                               "a<b",
                               "a>b",
                               "a^b",
                               "a|b",
                               "a b",
                               "a\x7F"
                               "b"}));
    default:
      return std::string(pick({"example", "Example", "EVIL", "www", "a", "good", "login", "test",
                               "xn", "0x", "1", "9z"}));
  }
}

std::string UrlGenerator::domain() {
  std::string domain = label();
  for (std::size_t more = 1 + below(3); more > 0; --more) {
    domain += one_in(9) ? pick({"\xE3\x80\x82", "\xEF\xBC\x8E", "\xEF\xBD\xA1", "..", "%2e",
                                "%E3%80%82", ".\t", "\xE2\x80\xA4"})
                        : std::string_view(".");
    domain += more == 1 && !one_in(4)
                  ? std::string(pick({"com", "test", "COM", "co.uk", "de", "example"}))
                  : label();
  }
  if (one_in(10)) domain += pick({".", "..", ".%2e", "\xE3\x80\x82", ".\xC2\xAD"});
  return domain;
}

std::string UrlGenerator::number() {
  static constexpr std::array<std::uint64_t, 12> kNumbers{
      0, 1, 8, 10, 127, 255, 256, 65535, 16777215, 2130706433, 4294967295, 4294967296};
  const std::uint64_t number = kNumbers[below(one_in(3) ? kNumbers.size() : 6)];
  std::array<char, 40> text{};
  const char* const forms[] = {"%llu",   "%llu",  "%llu",    "0x%llx",
                               "0X%llX", "0%llo", "000%llo", "0x0%llx"};
  const int size = std::snprintf(text.data(), text.size(), forms[below(8)],
                                 static_cast<unsigned long long>(number));
  return {text.data(), static_cast<std::size_t>(size)};
}

std::string UrlGenerator::ipv4() {
  std::string address = number();
  for (std::size_t more = one_in(3) ? below(6) : 3; more > 0; --more) {
    address +=
        one_in(12) ? pick({"\xE3\x80\x82", "%2e", "\xEF\xBC\x8E", ".."}) : std::string_view(".");
    address += one_in(15) ? std::string(pick({"0x", "08", "1a", "0xg", "", "\xEF\xBC\x91",
                                              "\xD9\xA1", "%31", "-1", "+1", "\xE2\x91\xA0"}))
                          : number();
  }
  if (one_in(10)) address += pick({".", "..", " ", "%20", ".x", "\xC2\xAD"});
  return address;
}

std::string UrlGenerator::ipv6() {
  if (one_in(3)) {
    return std::string(pick({"[::1]",
                             "[::]",
                             "[::127.0.0.1]",
                             "[::ffff:127.0.0.1]",
                             "[1:2:3:4:5:6:7:8]",
                             "[1::8:0:0:0]",
                             "[0:0:1:0:0:0:1:0]",
                             "[::1",
                             "::1]",
                             "[::1]x",
                             "[::%31]",
                             "%5B::1]",
                             "[::1%eth0]",
                             "[::1%25eth0]",
                             "[v1.a]",
                             "[:1]",
                             "[1:2:3:4:5:6:7]",
                             "[::1.2.3]",
                             "[::1.2.3.4.5]",
                             "[::01.2.3.4]",
                             "[::1.2.3.256]",
                             "[]",
                             "[g::]",
                             "[12345::]",
                             "[::\xEF\xBC\x91]",
                             "\xEF\xBC\xBB::1\xEF\xBC\xBD",
                             "[::1]:[80]",
                             "[ ::1]",
                             "[::1\t]"}));
  }
  std::string address = "[";
  bool shortened = false;
  const std::size_t pieces = one_in(6) ? below(10) : 8;
  for (std::size_t i = 0; i < pieces; ++i) {
    if (!shortened && one_in(5)) {
      address += i == 0 ? "::" : ":";
      shortened = true;
      i += below(4);
      continue;
    }
    address += pick({"0", "0", "1", "ab", "FFFF", "00a0", "8000", "db8"});
    if (i + 1 < pieces) address += ':';
  }
  if (one_in(8)) address += pick({"1.2.3.4", ":1.2.3.4", "127.0.0.1"});
  return address + ']';
}

std::string UrlGenerator::host() {
  switch (below(8)) {
    case 0:
      return ipv4();
    case 1:
      return ipv6();
    default:
      return domain();
  }
}

std::string UrlGenerator::port() {
  if (!one_in(3)) return "";
  return std::string(pick({":80",
                           ":443",
                           ":8080",
                           ":0",
                           ":65535",
                           ":65536",
                           ":",
                           ":00080",
                           ":+80",
                           ":8a",
                           ": 80",
                           ":80 ",
                           ":4\t43",
                           ":\xE0\xA5\xAE\xE0\xA5\xA6",
                           ":99999999999999999999",
                           ":-1",
                           ":0x50",
                           "::80",
                           ":80:443",
                           ":443\\",
                           ":\xEF\xBC\x98"}));
}

std::string UrlGenerator::path() {
  std::string path;
  for (std::size_t pieces = below(4); pieces > 0; --pieces) {
    path += one_in(6) ? pick({"\\", "//", "/\\", ";", "?", "#"}) : std::string_view("/");
    path += pick({"",
                  "a",
                  "..",
                  ".",
                  "%2e",
                  "%2E%2e",
                  ".%2E.",
                  "a b",
                  "\xC3\xBC",
                  "%zz",
                  "%2F",
                  "a\tb",
                  "{x}",
                  "<y>",
                  "\"",
                  "'",
                  "`",
                  "^",
                  "|",
                  "@evil.test",
                  "a:b",
                  "C:",
                  "C|",
                  "%00",
                  "\x1F",
                  "~",
                  "a=b&c=d",
                  "x?y#z",
                  "\xF0\x9F\x98\x80",
                  "..;",
                  "%5c",
                  "*"});
  }
  if (one_in(4))
    path +=
        std::string("?") + std::string(pick({"", "q=1", "a'b", "a\"b", "<", "\xC3\xBC", "%", "a b",
                                             "//", "@x", "?", "a\nb", "\xEF\xBF\xBD", "|^`{}"}));
  if (one_in(5))
    path += std::string("#") +
            std::string(pick({"", "f", "a b", "`", "<", "#", "\xC3\xBC", "'\"", "?", "{}|^", "%"}));
  return path;
}

// One change at the place of a code point.
std::string UrlGenerator::change(std::string url) {
  const std::vector<std::size_t> starts = code_point_starts(url);
  const std::size_t which = below(starts.size());
  const std::size_t at = starts[which];
  const std::size_t size = which + 1 < starts.size() ? starts[which + 1] - at : 0;
  const std::string point = url.substr(at, size);
  switch (below(8)) {
    case 0:
      return url.erase(at, size);
    case 1:
      return url.insert(at, point);
    case 2:
      return url.replace(at, size, escaped(point));
    case 3:
      if (size == 1 && is_printable(point[0])) return url.replace(at, size, full_width(point[0]));
      return url;
    case 4:
      if (size == 1) url[at] = static_cast<char>(point[0] ^ 0x20);
      return url;
    default:
      return url.insert(at, pick({"\t",
                                  "\n",
                                  "\r",
                                  " ",
                                  "\x01",
                                  "\x7F",
                                  std::string_view("\0", 1),
                                  "/",
                                  "\\",
                                  "@",
                                  ":",
                                  "#",
                                  "?",
                                  "[",
                                  "]",
                                  ".",
                                  "%",
                                  "%00",
                                  "%2e",
                                  "%2f",
                                  "%5c",
                                  "%40",
                                  "%23",
                                  "%3a",
                                  "%0a",
                                  "%20",
                                  "%c2%ad",
                                  "*",
                                  "^",
                                  "|",
                                  "<",
                                  ">",
                                  "\xC2\xAD",
                                  "\xE2\x80\x8B",
                                  "\xE2\x80\x8D",
                                  "\xE2\x81\xA0",
                                  "\xEF\xBB\xBF",
                                  "\xC2\xA0",
                                  "\xE3\x80\x80",
                                  "\xE2\x80\xA8",
                                  "\xE3\x80\x82",
                                  "\xEF\xBC\x8E",
                                  "\xEF\xBC\x8F",
                                  "\xEF\xBC\xA0",
                                  "\xEF\xBC\x9A",
                                  "\xEF\xBC\x85",
                                  "\xE2\x81\x84",
                                  "\xE2\x88\x95",
                                  "\xCC\x81",
                                  "\xE1\xBA\x9E",
                                  "\xC3\x9F",
                                  "\xD0\xB0",
                                  "\xD7\x90",
                                  "\xF0\x9F\x98\x80",
                                  "\xEF\xBF\xBD",
                                  "xn--",
                                  "a"}));
  }
}

std::string UrlGenerator::next() {
  std::string url = scheme() + userinfo() + host() + port() + path();
  for (std::size_t changes = std::array<std::size_t, 6>{0, 0, 1, 1, 2, 3}[below(6)]; changes > 0;
       --changes) {
    url = change(std::move(url));
  }
  return url;
}

}  // namespace agentlock::test
