#include <string>

#include "agentlock/draft.hpp"

agentlock::Draft result(const std::string& from_anywhere) {
  agentlock::Draft draft = agentlock::Draft::object();
#ifdef MUST_NOT_COMPILE
  draft.set("title", from_anywhere);
#else
  draft.set("title", agentlock::OwnText(from_anywhere));
#endif
  return draft;
}
