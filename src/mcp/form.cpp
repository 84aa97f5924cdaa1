#include "mcp/form.hpp"

#include <nlohmann/json.hpp>

namespace agentlock::mcp {

Json elicitation_params(const tools::Question& question, Revision revision) {
  const bool titled = revision >= Revision::k2025_11_25;
  Json choice = {{"type", "string"}, {"title", "Your answer"}};
  if (!question.description.empty()) choice["description"] = question.description;
  if (titled) {
    Json options = Json::array();
    for (const tools::Choice& option : question.choices) {
      options.push_back({{"const", option.value}, {"title", option.title}});
    }
    choice["oneOf"] = std::move(options);
  } else {
    Json values = Json::array();
    Json names = Json::array();
    for (const tools::Choice& option : question.choices) {
      values.push_back(option.value);
      names.push_back(option.title);
    }
    choice["enum"] = std::move(values);
    choice["enumNames"] = std::move(names);
  }
  Json params = Json::object();
  if (titled) params["mode"] = "form";
  params["message"] = question.message;
  params["requestedSchema"] = {{"type", "object"},
                               {"properties", {{"choice", std::move(choice)}}},
                               {"required", {"choice"}}};
  return params;
}

}  // namespace agentlock::mcp
