#include "mcp/answers.hpp"

#include <nlohmann/json.hpp>

#include "mcp/methods.hpp"

namespace agentlock::mcp {
namespace {

// How long a client may keep what discover and tools/list said. Nothing of it
// changes while the process lives, but a newer binary may take its place.
constexpr int kCacheMilliseconds = 300'000;

Json named(const ServerInfo& info) { return {{"name", info.name}, {"version", info.version}}; }

Json capabilities() { return {{"tools", Json::object()}}; }

// "private": the instructions follow the operator's configuration.
void add_cache_hints(Json& result) {
  result["ttlMs"] = kCacheMilliseconds;
  result["cacheScope"] = "private";
}

Json described(Revision revision, const tools::ToolDescription& tool) {
  Json entry = {{"name", tool.name}};
  if (has_structured_results(revision)) entry["title"] = tool.title;
  entry["description"] = tool.description;
  entry["inputSchema"] = tool.input_schema;
  if (has_structured_results(revision)) entry["outputSchema"] = tool.output_schema;
  if (has_annotations(revision)) entry["annotations"] = tool.annotations;
  return entry;
}

}  // namespace

Json Answers::initialize(Revision revision, const std::string& instructions) const {
  Json result = {{"protocolVersion", to_string(revision)}};
  result["capabilities"] = capabilities();
  result["serverInfo"] = named(info_);
  if (!instructions.empty()) result["instructions"] = instructions;
  return result;
}

Json Answers::discover(Revision revision, const std::string& instructions) const {
  Json versions = Json::array();
  for (const Revision served : kRevisions) versions.push_back(to_string(served));
  Json result = {{"supportedVersions", std::move(versions)}};
  result["capabilities"] = capabilities();
  if (!instructions.empty()) result["instructions"] = instructions;
  add_cache_hints(result);
  return completed(revision, std::move(result));
}

Json Answers::tools(Revision revision, const std::vector<tools::ToolDescription>& table) const {
  Json entries = Json::array();
  for (const tools::ToolDescription& tool : table) entries.push_back(described(revision, tool));
  Json result = {{"tools", std::move(entries)}};
  if (is_stateless(revision)) add_cache_hints(result);
  return completed(revision, std::move(result));
}

Json Answers::call(Revision revision, tools::Outcome outcome) const {
  Json block = {{"type", "text"}};
  block["text"] = outcome.is_error ? std::move(outcome.error) : to_line(outcome.structured);
  Json content = Json::array();
  content.push_back(std::move(block));
  Json result = {{"content", std::move(content)}};
  if (outcome.is_error) {
    result["isError"] = true;
  } else if (has_structured_results(revision)) {
    result["structuredContent"] = std::move(outcome.structured);
  }
  return completed(revision, std::move(result));
}

Json Answers::input_required(const std::string& key, Json elicitation, std::string state) const {
  Json request = {{"method", method::kElicit}};
  request["params"] = std::move(elicitation);
  Json result = {{"resultType", "input_required"}};
  result["inputRequests"][key] = std::move(request);
  result["requestState"] = std::move(state);
  result["_meta"] = {{meta::kServerInfo, named(info_)}};
  return result;
}

Json Answers::completed(Revision revision, Json result) const {
  if (!is_stateless(revision)) return result;
  result["resultType"] = "complete";
  result["_meta"] = {{meta::kServerInfo, named(info_)}};
  return result;
}

}  // namespace agentlock::mcp
