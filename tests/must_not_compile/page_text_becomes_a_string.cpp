#include <string>

#include "agentlock/page_text.hpp"

std::size_t length(const agentlock::PageText& text) {
#ifdef MUST_NOT_COMPILE
  const std::string plain = text;
  return plain.size();
#else
  return text.size();
#endif
}
