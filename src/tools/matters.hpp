#pragma once

#include <string>

#include "perception/page_reader.hpp"
#include "tools/confirmations.hpp"
#include "tools/tool_call.hpp"

namespace agentlock::tools {

// What a person is told of the things that are asked about before they are done.
// Source: tools.md, "Human confirmation"; attacks.md A12, A22.

Matter matter_of_url(ToolCall& call, const Url& target, const Verdict& verdict);

Matter matter_of_link(ToolCall& call, const Url& target);

/// `state`: the field as it is now.
Matter matter_of_value(ToolCall& call, const std::string& value, const Verdict& verdict,
                       const perception::PageReader::Element& field,
                       const perception::ElementState& state);

/// Going back to a page of another origin.
Matter matter_of_back(ToolCall& call, const Url& target);

}  // namespace agentlock::tools
