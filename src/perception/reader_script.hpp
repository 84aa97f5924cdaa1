#pragma once

#include <string_view>

namespace agentlock::perception {

/// The one script that reads pages, as an expression whose value is an object of
/// functions. Evaluate it once per document in an isolated world
/// (Page.createIsolatedWorld, then Runtime.evaluate without returnByValue), keep
/// the object id, and call its functions with Runtime.callFunctionOn. It holds no
/// hole for text: whatever a caller passes goes in as an argument by value, and
/// no client's text is ever among the arguments (tools.md, "Tools").
///
/// Answers are JSON *texts*, so that no depth limit of the protocol applies; all
/// strings in them are page text (gate.md, section 1) unless said otherwise.
/// Numbers of elements (`n`) and of blocks are counted apart. A number is bound to
/// a node for as long as the document lives, and is never given to another one.
/// Coordinates are CSS pixels in the viewport of the document that the script was
/// evaluated in; in the top document those are what Input.dispatchMouseEvent takes.
///
/// snapshot({cursor?, maxElements?, maxBytes?, maxNodes?, maxMs?})
///   {url, title, origin, frames: [{origin, url}], elements, joined, next, truncated}
///   elements: {n, role, name} and, where there is something to say, text, href,
///   value, type, checked (bool or "mixed"), selected, pressed, expanded, disabled,
///   readonly, required, level, multiple, options: [{n, name, selected?,
///   disabled?}], credential, clickable, unread, cut, frame. `frame` is an index of
///   `frames` (left out for 0, this document). `unread` marks a frame whose
///   document this world may not read. `cut` says that text, options or value are
///   longer. `joined` holds runs of adjacent text which no element holds in one
///   piece; they are not for the client, but belong in the ledger (attacks.md A47).
///   `next` is the cursor of the rest, or null. `truncated`: a page with more than
///   `maxNodes` nodes, or one that takes longer than `maxMs`, was not read to its end.
/// readText({cursor?, maxChars?, maxNodes?, maxMs?})
///   {url, title, origin, frames, blocks: [{n, text, frame?}], next, truncated};
///   `next` is null or [block, offset], to be handed back unchanged.
/// state(n)
///   {connected: false} or {connected, visible, disabled, editable, kind, credential,
///   credentialReason, multiline, inputType, tag, rect: {x, y, width, height}, role,
///   label, href, target, inFrameOrigin, value}. kind, inputType and
///   credentialReason ("password:name") come from closed sets of ours. `value` is
///   null for a credential field; `href` and `target` are null on what is no link.
/// liveHref(n)         {href, shown}: now, and as last reported; null where none.
/// scrollAndPoint(n)   {visible: false} or {visible, x, y, covered}: scrolls if need
///   be. covered: null, or {role, name, tag} of what a click would hit instead.
/// hits(n, node)       {hits, by}: is the node (by object id) the element or in it?
/// focusCheck(n)       {focused, credential, value, selection: [from, to] or null}
/// selectAll(n)        {selected}
/// credential(n)       {credential, reason}
/// node(n)             the node itself, or null once it has left the document.
/// numberOf(node)      the element number of a node, as a number.
/// adoptRoot(root)     makes a closed shadow root (by object id) part of the page.
/// barrier()           a promise: the page has had a frame and a task (or 60 ms).
///
/// An unknown or collected number is {connected: false} to every function.
std::string_view reader_script();

}  // namespace agentlock::perception
