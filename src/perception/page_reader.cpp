#include "perception/page_reader.hpp"

#include <algorithm>
#include <charconv>

#include <nlohmann/json.hpp>

#include "agentlock/url.hpp"
#include "cdp/protocol.hpp"
#include "perception/reader_script.hpp"

// The reader script answers for one frame and those of its origin in it; this puts
// the answers together into one reading of the tab, mints the ids, and makes page
// text of every string. A frame of another origin in the same process is read in a
// script world of its own and stands right behind the element that holds it; one in
// another process is left as `unread`.
//
// Invariant: a string of the script becomes PageText here and nothing else, tagged
// with the origin of its document. Keys of its answers that are not listed here are
// not passed on.

namespace agentlock::perception {
namespace {

constexpr int kMaxRounds = 40;
constexpr std::size_t kMaxObjects = 64;
constexpr std::size_t kIdBytes = 24;    // what an id adds to an item
constexpr std::size_t kFewChars = 100;  // no answer is made shorter than this

std::int64_t integer_member(const Json& object, std::string_view key, std::int64_t fallback) {
  const Json* value = member(object, key);
  return value != nullptr && value->is_number_integer() ? value->get<std::int64_t>() : fallback;
}

bool true_member(const Json& object, std::string_view key) {
  const Json* value = member(object, key);
  return value != nullptr && value->is_boolean() && value->get<bool>();
}

Origin origin_of(std::string_view text) {
  const auto url = Url::parse(text);
  return url ? url->origin() : Origin::opaque();
}

// Of the document that an item stands in: the frames of one origin are read together,
// and their list says which.
Origin document_origin(const Json& item, const Json* origins, const Origin& otherwise) {
  const std::int64_t nested = integer_member(item, "frame", 0);
  if (nested <= 0 || origins == nullptr || !origins->is_array() ||
      static_cast<std::size_t>(nested) >= origins->size()) {
    return otherwise;
  }
  return origin_of(string_member((*origins)[static_cast<std::size_t>(nested)], "origin"));
}

// "<block>.<offset>"; the beginning where there is none.
Json text_cursor(std::string_view cursor) {
  std::int64_t block = 0;
  std::int64_t offset = 0;
  if (const std::size_t dot = cursor.find('.'); dot != std::string_view::npos) {
    std::from_chars(cursor.data(), cursor.data() + dot, block);
    std::from_chars(cursor.data() + dot + 1, cursor.data() + cursor.size(), offset);
  }
  return Json::array({block, offset});
}

bool contains_folded(std::string_view text, std::string_view part) {
  const auto fold = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  return std::search(text.begin(), text.end(), part.begin(), part.end(),
                     [&](char a, char b) { return fold(a) == fold(b); }) != text.end();
}

bool matches(const Json& element, const std::string& filter) {
  if (filter.empty()) return true;
  return string_member(element, "role") == filter ||
         contains_folded(string_member(element, "name"), filter) ||
         contains_folded(string_member(element, "text"), filter);
}

void add_joined(Reading& reading, const Json& answer, const Origin& origin) {
  const Json* joined = member(answer, "joined");
  if (joined == nullptr || !joined->is_array()) return;
  for (const Json& run : *joined) {
    if (run.is_string()) reading.joined.emplace_back(run.get<std::string>(), origin);
  }
}

std::string description(const Json& what) {
  const std::string role = string_member(what, "role", string_member(what, "tag"));
  const std::string name = string_member(what, "name");
  return name.empty() ? role : role + " \"" + name + "\"";
}

}  // namespace

struct PageReader::Budget {
  std::size_t elements;
  std::size_t bytes;
  int rounds = kMaxRounds;

  bool spent() const { return elements == 0 || bytes == 0 || rounds == 0; }
};

void PageReader::look_at(browser::Tab& tab) {
  if (tab_ == &tab && page_load_ == tab.frames().page_load()) return;
  tab_ = &tab;
  page_load_ = tab.frames().page_load();
  objects_.clear();
  ids_.start_page_load();
}

Task<Result<std::string>> PageReader::reader_object(browser::Tab::World world, Deadline deadline) {
  if (const auto known = objects_.find(world); known != objects_.end()) co_return known->second;
  Json params = {{"expression", std::string(reader_script())}, {"contextId", world.context}};
  auto reply = co_await tab_->call(cdp::kRuntimeEvaluate, std::move(params), deadline);
  if (!reply) co_return tl::unexpected(reply.error());
  const Json* result = member(*reply, "result");
  std::string object = result != nullptr ? string_member(*result, "objectId") : "";
  if (object.empty() || member(*reply, "exceptionDetails") != nullptr) {
    co_return fail(ErrorCode::kInternal, "the reader could not be set up in the page");
  }
  if (objects_.size() >= kMaxObjects) objects_.clear();
  objects_[world] = object;
  co_return object;
}

Task<Result<Json>> PageReader::ask(browser::Tab::World world, std::string function, Json arguments,
                                   Deadline deadline) {
  auto reader = co_await reader_object(world, deadline);
  if (!reader) co_return tl::unexpected(reader.error());
  Json params = {
      {"functionDeclaration", "function(...given) { return this." + function + "(...given); }"},
      {"objectId", *reader},
      {"arguments", std::move(arguments)},
      {"returnByValue", true}};
  auto reply = co_await tab_->call(cdp::kRuntimeCallFunctionOn, std::move(params), deadline);
  if (!reply) co_return tl::unexpected(reply.error());
  const Json* result = member(*reply, "result");
  if (result == nullptr || member(*reply, "exceptionDetails") != nullptr) {
    co_return fail(ErrorCode::kInternal, "the reader failed on this page");
  }
  auto answer = parse_json(string_member(*result, "value"));
  if (!answer) co_return fail(answer.error(), "the reader's answer can't be read");
  co_return std::move(*answer);
}

std::string PageReader::mint(const Frame& frame, IdKind kind, const Json& item) {
  return ids_.mint({frame.id, frame.document, kind, integer_member(item, "n", -1)});
}

Draft PageReader::element_draft(const Json& element, const Frame& frame, const Json& origins) {
  const std::string id = mint(frame, IdKind::kElement, element);
  ids_.report_href(id, string_member(element, "href"));

  const Origin origin = document_origin(element, &origins, frame.origin);
  const auto text = [&](const std::string& value) { return PageText(value, origin, id); };

  Draft draft = Draft::object();
  draft.set("id", OwnText(id));
  draft.set("role", text(string_member(element, "role")));
  draft.set("name", text(string_member(element, "name")));
  const auto put_text = [&]<std::size_t N>(const char(&key)[N]) {
    const std::string value = string_member(element, key);
    if (!value.empty()) draft.set(key, text(value));
  };
  const auto put_state = [&]<std::size_t N>(const char(&key)[N]) {
    const Json* value = member(element, key);
    if (value == nullptr) return;
    if (value->is_boolean()) draft.set(key, value->get<bool>());
    if (string_member(element, key) == "mixed") draft.set("mixed", true);
  };
  const auto put_true = [&]<std::size_t N>(const char(&key)[N]) {
    if (true_member(element, key)) draft.set(key, true);
  };
  put_text("text");
  put_text("href");
  put_text("value");
  put_text("type");
  put_state("checked");
  put_state("selected");
  put_state("pressed");
  put_state("expanded");
  put_true("disabled");
  put_true("readonly");
  put_true("required");
  put_true("multiple");
  put_true("credential");
  put_true("clickable");
  put_true("unread");
  put_true("cut");
  if (const std::int64_t level = integer_member(element, "level", 0); level > 0) {
    draft.set("level", level);
  }
  if (const Json* options = member(element, "options"); options != nullptr && options->is_array()) {
    Draft list = Draft::array();
    for (const Json& option : *options) {
      Draft one = Draft::object();
      one.set("id", OwnText(mint(frame, IdKind::kElement, option)));
      one.set("name", text(string_member(option, "name")));
      if (true_member(option, "selected")) one.set("selected", true);
      if (true_member(option, "disabled")) one.set("disabled", true);
      list.push(std::move(one));
    }
    draft.set("options", std::move(list));
  }
  if (!(origin == tab_->origin())) {
    draft.set("frame", PageText(origin.serialize(), origin, id));
  }
  return draft;
}

Task<Result<cdp::FrameId>> PageReader::frame_of(const NodeKey& owner, Deadline deadline) {
  auto handle = co_await node(owner, deadline);
  if (!handle) co_return tl::unexpected(handle.error());
  Json params = {{"objectId", handle->object}};
  auto described = co_await tab_->call(cdp::kDOMDescribeNode, std::move(params), deadline);
  if (!described) co_return tl::unexpected(described.error());
  const Json* found = member(*described, "node");
  co_return cdp::FrameId(found != nullptr ? string_member(*found, "frameId") : "");
}

Task<Result<void>> PageReader::read_frame(cdp::FrameId id, const SnapshotLimits& limits,
                                          Budget& budget, Reading& reading, Deadline deadline) {
  const bool main = id == tab_->frames().main().id;
  std::int64_t cursor = 0;
  if (main && !limits.cursor.empty()) {
    std::from_chars(limits.cursor.data(), limits.cursor.data() + limits.cursor.size(), cursor);
  }
  while (!budget.spent()) {
    --budget.rounds;
    auto world = co_await tab_->world(id, deadline);
    if (!world) co_return tl::unexpected(world.error());
    const browser::Frame* known = tab_->frames().find(id);
    if (known == nullptr) co_return Result<void>{};
    const Frame frame{id, world->document, known->origin};

    Json arguments = Json::array();
    // A filter leaves most of what is read, so that more is read at a time.
    const std::size_t share = limits.filter.empty() ? 1 : 20;
    arguments.push_back(Json{{"value",
                              {{"cursor", cursor},
                               {"maxElements", budget.elements * share},
                               {"maxBytes", budget.bytes * share}}}});
    auto answer = co_await ask(*world, "snapshot", std::move(arguments), deadline);
    if (!answer) co_return tl::unexpected(answer.error());
    const Json* elements = member(*answer, "elements");
    const Json* origins = member(*answer, "frames");
    if (elements == nullptr || !elements->is_array() || origins == nullptr) {
      co_return fail(ErrorCode::kInternal, "the reader's answer has no elements");
    }
    if (main) reading.title = string_member(*answer, "title");
    reading.truncated = reading.truncated || true_member(*answer, "truncated");
    add_joined(reading, *answer, frame.origin);
    for (const Json& element : *elements) {
      if (matches(element, limits.filter)) {
        if (budget.spent()) {
          // Only a filtered read takes more than fits: the rest is read anew.
          reading.next_cursor = std::to_string(cursor);
          co_return Result<void>{};
        }
        const std::size_t size = to_line(element).size() + kIdBytes;
        budget.bytes -= std::min(budget.bytes, size);
        --budget.elements;
        reading.items.push(element_draft(element, frame, *origins));
      }
      ++cursor;
      if (true_member(element, "unread")) {
        const NodeKey owner{frame.id, frame.document, IdKind::kElement,
                            integer_member(element, "n", -1)};
        const auto inner = co_await frame_of(owner, deadline);
        const browser::Frame* child = inner ? tab_->frames().find(*inner) : nullptr;
        if (child != nullptr && !child->remote && !child->loader.empty()) {
          cdp::FrameId child_id = child->id;
          auto read = co_await read_frame(std::move(child_id), limits, budget, reading, deadline);
          // The frame may be gone by now; the rest of the page is still there.
          if (!read && read.error().code() == ErrorCode::kTimeout) co_return read;
        }
      }
    }
    const Json* next = member(*answer, "next");
    if (next == nullptr || !next->is_number_integer()) co_return Result<void>{};
    cursor = next->get<std::int64_t>();
  }
  if (main) reading.next_cursor = std::to_string(cursor);
  co_return Result<void>{};
}

Task<Result<Reading>> PageReader::snapshot(SnapshotLimits limits, Deadline deadline) {
  Reading reading;
  Budget budget{limits.max_elements == 0 ? std::size_t{5'000} : limits.max_elements,
                limits.max_bytes};
  auto read = co_await read_frame(tab_->frames().main().id, limits, budget, reading, deadline);
  if (!read) co_return tl::unexpected(read.error());
  co_return reading;
}

Task<Result<Json>> PageReader::blocks_of(browser::Tab::World world, Json cursor, std::size_t chars,
                                         std::size_t bytes, Deadline deadline) {
  for (int round = 0; round < kMaxRounds; ++round) {
    Json arguments = Json::array();
    arguments.push_back(Json{{"value", {{"cursor", cursor}, {"maxChars", chars}}}});
    auto answer = co_await ask(world, "readText", std::move(arguments), deadline);
    if (!answer) co_return tl::unexpected(answer.error());
    const Json* blocks = member(*answer, "blocks");
    if (blocks == nullptr || !blocks->is_array()) {
      co_return fail(ErrorCode::kInternal, "the reader's answer has no blocks");
    }
    const std::size_t size = to_line(*blocks).size() + blocks->size() * kIdBytes;
    if (size <= bytes || chars < kFewChars) co_return std::move(*answer);
    chars = chars * bytes / size;
  }
  co_return fail(ErrorCode::kInternal, "the reader's answer does not get shorter");
}

Task<Result<Reading>> PageReader::read_text(TextLimits limits, Deadline deadline) {
  Reading reading;
  std::size_t bytes = limits.max_bytes;
  for (const cdp::FrameId& id : tab_->frames().local()) {
    const bool main = id == tab_->frames().main().id;
    const browser::Frame* known = tab_->frames().find(id);
    if (known == nullptr || limits.max_chars == 0 || bytes == 0) continue;
    if (!main) {
      // A frame of its parent's origin is read with the parent.
      const browser::Frame* parent = tab_->frames().find(known->parent);
      if (parent == nullptr || parent->origin == known->origin || known->loader.empty()) continue;
      // So is one without an address of its own, whose origin Chromium does not tell.
      if (known->url.starts_with("about:")) continue;
    }
    auto world = co_await tab_->world(id, deadline);
    known = tab_->frames().find(id);
    const bool there = world && known != nullptr;
    const Frame frame{id, there ? world->document : cdp::LoaderId(),
                      there ? known->origin : Origin::opaque()};
    Json cursor = main ? text_cursor(limits.cursor) : Json::array({0, 0});
    auto answer =
        there ? co_await blocks_of(*world, std::move(cursor), limits.max_chars, bytes, deadline)
              : Result<Json>(fail(ErrorCode::kTargetGone, "the frame is gone"));
    if (!answer) {
      // A frame may go while the rest is read.
      if (main) co_return tl::unexpected(answer.error());
      continue;
    }
    reading.truncated = reading.truncated || true_member(*answer, "truncated");
    add_joined(reading, *answer, frame.origin);
    const Json* origins = member(*answer, "frames");
    for (const Json& block : *member(*answer, "blocks")) {
      const std::string block_id = mint(frame, IdKind::kBlock, block);
      const Origin origin = document_origin(block, origins, frame.origin);
      std::string text = string_member(block, "text");
      limits.max_chars -= std::min(limits.max_chars, text.size());
      bytes -= std::min(bytes, text.size() + kIdBytes);
      Draft draft = Draft::object();
      draft.set("id", OwnText(block_id));
      draft.set("text", PageText(std::move(text), origin, block_id));
      if (!(origin == tab_->origin())) {
        draft.set("frame", PageText(origin.serialize(), origin, block_id));
      }
      reading.items.push(std::move(draft));
    }
    const Json* next = member(*answer, "next");
    if (main && next != nullptr && next->is_array() && next->size() == 2) {
      reading.next_cursor = to_line((*next)[0]) + "." + to_line((*next)[1]);
      co_return reading;
    }
  }
  co_return reading;
}

Task<Result<browser::NodeHandle>> PageReader::node(const NodeKey& key, Deadline deadline) {
  auto world = co_await tab_->world(key.frame, deadline);
  if (!world) co_return tl::unexpected(world.error());
  if (world->document != key.document) {
    co_return fail(ErrorCode::kStale,
                   "The frame that held this element has another document now. Call snapshot "
                   "again and take the new id.");
  }
  auto reader = co_await reader_object(*world, deadline);
  if (!reader) co_return tl::unexpected(reader.error());
  Json arguments = Json::array();
  arguments.push_back(Json{{"value", key.number}});
  Json params = {{"functionDeclaration", "function(n) { return this.node(n); }"},
                 {"objectId", *reader},
                 {"arguments", arguments}};
  auto reply = co_await tab_->call(cdp::kRuntimeCallFunctionOn, std::move(params), deadline);
  if (!reply) co_return tl::unexpected(reply.error());
  const Json* result = member(*reply, "result");
  std::string object = result != nullptr ? string_member(*result, "objectId") : "";
  if (object.empty()) {
    co_return fail(ErrorCode::kNotFound,
                   "This element is no longer on the page. Call snapshot again.");
  }
  co_return browser::NodeHandle{*world, std::move(object)};
}

Task<Result<PageReader::Element>> PageReader::find(std::string id, Deadline deadline) {
  auto found = ids_.find_element(id);
  if (!found) co_return tl::unexpected(found.error());
  auto handle = co_await node(found->node, deadline);
  if (!handle) co_return tl::unexpected(handle.error());
  const browser::Frame* frame = tab_->frames().find(found->node.frame);
  if (frame == nullptr) {
    co_return fail(ErrorCode::kNotFound,
                   "The frame that held this element is gone. Call snapshot again.");
  }
  Element element{found->node, std::move(*handle), frame->origin, found->href};
  // A frame of the same origin is read with its parent, and the script names the
  // origin of the document itself; where the two differ nobody's word is taken.
  auto told = co_await ask_about(element, "state", deadline);
  if (!told) co_return tl::unexpected(told.error());
  if (!(origin_of(string_member(*told, "inFrameOrigin")) == element.frame)) {
    element.frame = Origin::opaque();
  }
  co_return element;
}

Task<Result<Json>> PageReader::ask_about(const Element& element, std::string function,
                                         Deadline deadline) {
  Json arguments = Json::array();
  arguments.push_back(Json{{"value", element.key.number}});
  return ask(element.node.world, std::move(function), std::move(arguments), deadline);
}

Task<Result<ElementState>> PageReader::state(const Element& element, Deadline deadline) {
  auto told = co_await ask_about(element, "state", deadline);
  if (!told) co_return tl::unexpected(told.error());
  co_return ElementState{.connected = true_member(*told, "connected"),
                         .visible = true_member(*told, "visible"),
                         .disabled = true_member(*told, "disabled"),
                         .editable = true_member(*told, "editable"),
                         .multiline = true_member(*told, "multiline"),
                         .credential = true_member(*told, "credential"),
                         .value = string_member(*told, "value"),
                         .label = string_member(*told, "label"),
                         .form_action = string_member(*told, "formAction")};
}

Task<Result<PageReader::Place>> PageReader::place(const Element& element, Deadline deadline) {
  auto told = co_await ask_about(element, "scrollAndPoint", deadline);
  if (!told) co_return tl::unexpected(told.error());
  if (!true_member(*told, "visible")) {
    co_return fail(ErrorCode::kNotFound, "Nothing of this element is visible now.");
  }
  auto offset = co_await browser::frame_offset(*tab_, element.key.frame, deadline);
  if (!offset) co_return tl::unexpected(offset.error());
  const auto coordinate = [&](std::string_view key) {
    const Json* value = member(*told, key);
    return value != nullptr && value->is_number() ? value->get<double>() : 0.0;
  };
  Place place{{coordinate("x") + offset->x, coordinate("y") + offset->y}, ""};
  const Json* covered = member(*told, "covered");
  if (covered != nullptr && covered->is_object()) place.covered_by = description(*covered);
  co_return place;
}

Task<Result<std::string>> PageReader::live_href(const Element& element, Deadline deadline) {
  auto told = co_await ask_about(element, "liveHref", deadline);
  if (!told) co_return tl::unexpected(told.error());
  co_return string_member(*told, "href");
}

Task<Result<PageReader::Hit>> PageReader::hit(const Element& element, const browser::NodeHandle& at,
                                              Deadline deadline) {
  Json arguments = Json::array();
  arguments.push_back(Json{{"value", element.key.number}});
  arguments.push_back(Json{{"objectId", at.object}});
  auto told = co_await ask(element.node.world, "hits", std::move(arguments), deadline);
  if (!told) co_return tl::unexpected(told.error());
  const Json* by = member(*told, "by");
  co_return Hit{true_member(*told, "hits"), by != nullptr ? description(*by) : ""};
}

Task<Result<PageReader::Focus>> PageReader::focus_check(const Element& element, Deadline deadline) {
  auto told = co_await ask_about(element, "focusCheck", deadline);
  if (!told) co_return tl::unexpected(told.error());
  co_return Focus{true_member(*told, "focused"), true_member(*told, "credential")};
}

Task<Result<void>> PageReader::select_all(const Element& element, Deadline deadline) {
  auto told = co_await ask_about(element, "selectAll", deadline);
  if (!told) co_return tl::unexpected(told.error());
  if (!true_member(*told, "selected")) {
    co_return fail(ErrorCode::kNotFound, "The field's content could not be selected.");
  }
  co_return Result<void>{};
}

}  // namespace agentlock::perception
