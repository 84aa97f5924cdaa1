#include "tools/matters.hpp"

#include "agentlock/character_classes.hpp"
#include "tools/shown_text.hpp"

namespace agentlock::tools {
namespace {

constexpr std::size_t kMaxLabel = 100;

std::string page_of(ToolCall& call) { return call.tab().origin().serialize(); }

std::string source_of(ToolCall& call, const Verdict& verdict) {
  if (verdict.channel == Channel::kPage && verdict.origin) {
    return "from page " + verdict.origin->serialize();
  }
  return call.box().config.operator_channel
             ? "composed by the agent, not in your instructions"
             : "composed by the agent, not in the text this server was given";
}

}  // namespace

Matter matter_of_url(ToolCall& call, const Url& target, const Verdict& verdict) {
  return {.action = "browser.navigate",
          .title = "Confirm navigate",
          .source = source_of(call, verdict),
          .value = target.href(),
          .target = target,
          .receiver = "",
          .asking_origin = page_of(call),
          .key = "browser.navigate\n" + target.href()};
}

Matter matter_of_link(ToolCall& call, const Url& target) {
  return {.action = "browser.navigate_link",
          .title = "Confirm navigate",
          .source = "link on page " + page_of(call),
          .value = target.href(),
          .target = target,
          .receiver = "",
          .asking_origin = page_of(call),
          .key = "browser.navigate_link\n" + target.href()};
}

Matter matter_of_value(ToolCall& call, const std::string& value, const Verdict& verdict,
                       const perception::PageReader::Element& field,
                       const perception::ElementState& state) {
  std::string receiver = "Into the field \"" + shown(first_code_points(state.label, kMaxLabel)) +
                         "\" of " + field.frame.serialize();
  if (const auto action = Url::parse(state.form_action)) {
    receiver += ", whose form goes to " + action->origin().serialize();
  }
  return {.action = "browser.type",
          .title = "Confirm type",
          .source = source_of(call, verdict),
          .value = value,
          .target = std::nullopt,
          .receiver = std::move(receiver),
          .asking_origin = page_of(call),
          .key = "browser.type\n" + value};
}

Matter matter_of_back(ToolCall& call, const Url& target) {
  return {.action = "browser.back",
          .title = "Confirm navigate",
          .source = "from page " + page_of(call),
          .value = target.href(),
          .target = target,
          .receiver = "",
          .asking_origin = page_of(call),
          .key = "browser.back\n" + target.href()};
}

}  // namespace agentlock::tools
