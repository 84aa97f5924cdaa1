#include "tools/reading.hpp"

namespace agentlock::tools {
namespace {

std::string cursor_prefix(const Toolbox& box) {
  return "p" + std::to_string(box.ids.page_load()) + "-";
}

}  // namespace

Result<std::string> read_cursor(const Toolbox& box, const std::optional<std::string>& cursor) {
  if (!cursor) return std::string();
  const std::string prefix = cursor_prefix(box);
  if (cursor->starts_with(prefix) && cursor->size() < 64 &&
      cursor->find_first_not_of("0123456789.", prefix.size()) == std::string::npos) {
    return cursor->substr(prefix.size());
  }
  return fail(ErrorCode::kStale,
              "This cursor is not of the page as it is now. Begin again without one.");
}

Result<Draft> finish_reading(ToolCall& call, Result<perception::Reading> reading, Items items) {
  if (!reading) return fail(reading.error(), "The page could not be read");
  for (const PageText& run : reading->joined) {
    auto recorded = call.box().recorder.record_page(run, "joined");
    if (!recorded) return tl::unexpected(recorded.error());
  }
  Draft result = Draft::object();
  add_place(result, call.tab());
  if (items == Items::kElements) {
    if (!reading->title.empty()) result.set("title", call.page_text(reading->title));
    result.set("elements", std::move(reading->items));
  } else {
    result.set("blocks", std::move(reading->items));
  }
  if (!reading->next_cursor.empty()) {
    result.set("next_cursor", OwnText(cursor_prefix(call.box()) + reading->next_cursor));
  }
  if (reading->truncated) result.set("truncated", true);
  if (call.box().driver.take_restarted()) result.set("browser_restarted", true);
  return result;
}

}  // namespace agentlock::tools
