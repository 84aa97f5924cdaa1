#include "agentlock/draft.hpp"

agentlock::Draft result(const char* from_anywhere) {
  agentlock::Draft draft = agentlock::Draft::object();
#ifdef MUST_NOT_COMPILE
  draft.set("title", from_anywhere);
#else
  draft.set("title", from_anywhere == nullptr);
#endif
  return draft;
}
