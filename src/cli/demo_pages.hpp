#pragma once

#include "cli/demo_origin.hpp"

namespace agentlock::cli::demo {

/// What the demo's three origins serve. The page of `fixture` tries to lead an agent
/// to `evil` by every simple way: an address to copy, links, a redirect, a new tab,
/// and a phrase to type into a form.
void serve_demo_pages(OriginServer& fixture, OriginServer& evil, OriginServer& third);

}  // namespace agentlock::cli::demo
