#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "agentlock/result.hpp"
#include "base/json.hpp"

namespace agentlock::cdp {

/// What the `error` member of Chromium's answer to `method` means. The only place
/// where CDP's error texts are looked at. The sentence is ours throughout: no
/// text that a page may have shaped gets out by way of an error.
Error to_error(std::string_view method, const Json& error);

}  // namespace agentlock::cdp
