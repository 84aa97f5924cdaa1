#pragma once

#include <string>

#include "cdp/ids.hpp"

namespace agentlock::browser {

/// A document is about to be requested at the top level of a tab.
struct DocumentRequest {
  cdp::TargetId tab;
  std::string url;  ///< as Chromium reports it
  std::string method;
  /// The same for every hop of one navigation.
  std::string navigation;
  /// A server answered the navigation's request before with this one's address.
  bool redirect = false;
};

/// A tab that nobody asked for opens.
struct NewPage {
  cdp::TargetId tab;
  cdp::TargetId opener;  ///< empty where Chromium does not say
  std::string url;       ///< where it was to go, as far as is known
};

enum class Ruling { kContinue, kRefuse };

/// Says what may happen at the top level. It is asked while the request is held, so
/// it answers at once and never waits for a person; what it throws counts as no.
class DocumentJudge {
 public:
  virtual ~DocumentJudge() = default;
  virtual Ruling rule(const DocumentRequest& request) = 0;
  /// The page is closed whatever happens here.
  virtual void new_page(const NewPage& page) = 0;
};

}  // namespace agentlock::browser
