#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "perception/page_reader.hpp"
#include "tools/tool_call.hpp"

namespace agentlock::tools {

/// An answer is at most 24 KB a face, or 80 KB where the client asks for more
/// (tools.md, "Tools"); what goes around the items has its share of that.
inline constexpr std::size_t kUsualBytes = 21'000;
inline constexpr std::size_t kMostBytes = 74'000;
inline constexpr std::int64_t kMostElements = 5'000;

/// A cursor that an earlier answer gave: it says of which page load it is. Empty
/// where none was given; kStale or kInvalidArgument otherwise.
Result<std::string> read_cursor(const Toolbox& box, const std::optional<std::string>& cursor);

enum class Items { kElements, kBlocks };

/// A reading as the result of a reading tool. All of its text is recorded: also what
/// the client does not get.
Result<Draft> finish_reading(ToolCall& call, Result<perception::Reading> reading, Items items);

}  // namespace agentlock::tools
