#pragma once

#include <string_view>

namespace agentlock {

/// Where a value came from.
enum class Channel {
  kUser,           ///< the operator's own words
  kUserConfirmed,  ///< a value that the operator said yes to
  kAllowlist,      ///< an origin that the operator configured
  kPage,           ///< a string that came off a page
  kModel,          ///< none of the others: the model made it up
  kUnclassified,   ///< not a channel but an outcome: allowed, and nothing accounts for it
};

/// "USER", "USER_CONFIRMED", "ALLOWLIST", "PAGE", "MODEL", "UNCLASSIFIED".
std::string_view to_string(Channel channel);

}  // namespace agentlock
