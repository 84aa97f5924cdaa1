#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agentlock/gate.hpp"
#include "agentlock/origin.hpp"
#include "browser/document_judge.hpp"
#include "browser/tab.hpp"
#include "tools/recorder.hpp"

namespace agentlock::tools {

/// Judges what happens at the top level of our tab: what a tool was allowed to do
/// goes through, and every other change of origin is a hop that the gate decides.
/// See top_level.cpp for the idea. Source: gate.md, "Hops".
class TopLevel final : public browser::DocumentJudge {
 public:
  TopLevel(const Gate& gate, Recorder& recorder) : gate_(gate), recorder_(recorder) {}

  /// The tab that is judged for; null while there is none. A new tab starts anew.
  void watch(const browser::Tab* tab);

  /// A tool's navigation was allowed: its origin may be reached, once.
  void grant(const Url& target, Channel channel);
  /// It came to nothing.
  void withdraw() { grant_.reset(); }

  /// An allowed navigation of this session has been there.
  bool reached(const Origin& origin) const { return reached_.contains(origin.serialize()); }

  /// A call begins: what is refused from here on belongs to it. `can_ask`: a person may
  /// still say yes to it.
  void begin_call(bool can_ask);
  /// What was refused during the call, in order, since it was last taken.
  std::vector<Decided> take_blocked();
  void end_call();

  browser::Ruling rule(const browser::DocumentRequest& request) override;
  void new_page(const browser::NewPage& page) override;

 private:
  struct Grant {
    Origin origin;
    Channel channel;
    std::string href;         ///< of the tool's own request, which begins its chain
    std::uint64_t page_load;  ///< over once a later document is there
  };
  struct Chain {
    Origin last;
    bool operator_began;
  };

  const Grant* live_grant() const;
  /// A grant is for a GET: a page may not send a form on the way that a tool opened.
  bool covered(const Origin& target, bool get) const;
  Channel tab_channel() const;
  void keep(Decided decided);
  void remember(const std::string& navigation, Chain chain);

  const Gate& gate_;
  Recorder& recorder_;
  const browser::Tab* tab_ = nullptr;
  std::optional<Grant> grant_;
  std::map<std::string, Channel> reached_;  ///< by serialised origin
  std::map<std::string, Chain> chains_;     ///< by navigation
  bool in_call_ = false;
  bool can_ask_ = false;
  std::vector<Decided> blocked_;
};

}  // namespace agentlock::tools
