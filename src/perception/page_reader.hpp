#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agentlock/draft.hpp"
#include "agentlock/page_text.hpp"
#include "base/json.hpp"
#include "base/task.hpp"
#include "browser/input.hpp"
#include "browser/tab.hpp"
#include "perception/element_ids.hpp"

namespace agentlock::perception {

/// What was read, still as page text.
struct Reading {
  Draft items = Draft::array();  ///< elements or blocks
  std::string next_cursor;       ///< empty at the end
  std::string title;
  bool truncated = false;  ///< the page is too large or too slow to be read whole
  /// Runs of text that no item holds in one piece: not for the client, but for the
  /// ledger (attacks.md A47).
  std::vector<PageText> joined;
};

struct SnapshotLimits {
  std::string filter;  ///< only elements whose role is this, or whose name or text holds it
  std::size_t max_elements = 0;  ///< 0: as many as fit
  std::size_t max_bytes = 0;
  std::string cursor;
};

struct TextLimits {
  std::size_t max_chars = 0;  ///< in UTF-16 units, as pages count
  std::size_t max_bytes = 0;
  std::string cursor;
};

/// What is known of an element right now, from the reader script.
struct ElementState {
  bool connected = false;
  bool visible = false;
  bool disabled = false;
  bool editable = false;
  bool multiline = false;
  bool credential = false;
  std::string value;
  std::string label;        ///< the accessible name
  std::string form_action;  ///< where its form sends it; empty if it has none
};

/// Reads the tab and finds again what it has read. All strings come from one fixed
/// script in a script world of ours; nothing that a client sends reaches it.
class PageReader {
 public:
  explicit PageReader(ElementIds& ids) : ids_(ids) {}

  /// The tab may have another document, or be another one, than before.
  void look_at(browser::Tab& tab);

  Task<Result<Reading>> snapshot(SnapshotLimits limits, Deadline deadline);
  Task<Result<Reading>> read_text(TextLimits limits, Deadline deadline);

  /// An element that can be acted on.
  struct Element {
    NodeKey key;
    browser::NodeHandle node;
    Origin frame = Origin::opaque();  ///< of the frame whose document holds it
    std::string shown_href;           ///< as it was last reported
  };
  /// kStale and the like from ElementIds, or kNotFound if the node has left the page.
  Task<Result<Element>> find(std::string id, Deadline deadline);

  Task<Result<ElementState>> state(const Element& element, Deadline deadline);
  /// Scrolls to the element and finds a point of the tab's viewport where a click
  /// reaches it. kNotFound if nothing of it shows.
  struct Place {
    browser::Point point;
    std::string covered_by;  ///< role and name of what lies on top there; or empty
  };
  Task<Result<Place>> place(const Element& element, Deadline deadline);
  /// The link's address now; empty if it is none.
  Task<Result<std::string>> live_href(const Element& element, Deadline deadline);
  /// Whether a node is the element or inside of it; if not, what it is.
  struct Hit {
    bool on_element;
    std::string covered_by;  ///< role and name of what lies on top
  };
  Task<Result<Hit>> hit(const Element& element, const browser::NodeHandle& at, Deadline deadline);
  /// In one step of the page: it has the focus, and is no credential field.
  struct Focus {
    bool focused;
    bool credential;
  };
  Task<Result<Focus>> focus_check(const Element& element, Deadline deadline);
  Task<Result<void>> select_all(const Element& element, Deadline deadline);

 private:
  struct Budget;

  Task<Result<std::string>> reader_object(browser::Tab::World world, Deadline deadline);
  /// Calls one of the script's functions; its answer, taken apart.
  Task<Result<Json>> ask(browser::Tab::World world, std::string function, Json arguments,
                         Deadline deadline);
  Task<Result<Json>> ask_about(const Element& element, std::string function, Deadline deadline);
  Task<Result<browser::NodeHandle>> node(const NodeKey& key, Deadline deadline);
  /// Reads a frame, and in its place in the page each frame of another origin that
  /// runs in the same process.
  Task<Result<void>> read_frame(cdp::FrameId frame, const SnapshotLimits& limits, Budget& budget,
                                Reading& reading, Deadline deadline);
  /// A frame's blocks, no more of them than the limits allow.
  Task<Result<Json>> blocks_of(browser::Tab::World world, Json cursor, std::size_t chars,
                               std::size_t bytes, Deadline deadline);
  Task<Result<cdp::FrameId>> frame_of(const NodeKey& owner, Deadline deadline);
  struct Frame {
    cdp::FrameId id;
    cdp::LoaderId document;
    Origin origin;
  };
  Draft element_draft(const Json& element, const Frame& frame, const Json& origins);
  std::string mint(const Frame& frame, IdKind kind, const Json& item);

  ElementIds& ids_;
  browser::Tab* tab_ = nullptr;
  std::uint64_t page_load_ = 0;
  std::map<browser::Tab::World, std::string> objects_;
};

}  // namespace agentlock::perception
