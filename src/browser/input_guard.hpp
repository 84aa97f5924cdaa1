#pragma once

#include <string>
#include <string_view>

namespace agentlock::browser {

/// The script that runs in our world of every document, before the page's own
/// scripts, and sees each trusted pointer and text event first. While it is armed
/// it lets only those through that go to the element meant, so that a page which
/// slides something else under the pointer, or steals the focus, at the last moment
/// gets nothing (attacks.md A14). Functions of the global `agentlockGuard`:
///   armPointer(node or null), armText(node or null)
///   disarm()  what became of it: "arrived", "stolen" or "lost"
/// A document takes no text in its first second unless it is armed for it: it may
/// have come to be after all others were armed.
std::string_view input_guard_script();

/// For documents in other processes, which no act of ours is meant for: armed for
/// nothing, for good.
std::string remote_input_guard_script();

}  // namespace agentlock::browser
