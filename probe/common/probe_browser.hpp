#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/task.hpp"
#include "cli/demo_process.hpp"
#include "support/scratch_folder.hpp"
#include "support/test_site.hpp"

namespace agentlock::probe {

/// A headless Chromium spoken to over its debugging pipe, one step after the other,
/// and apart from the product's own code, whose assumptions the probes measure.
/// Whatever fails throws: a probe that can't measure must not report.
class ProbeBrowser {
 public:
  /// Knows the origins that the site has by now.
  explicit ProbeBrowser(const test::TestSite& site, std::vector<std::string> flags = {});
  ProbeBrowser(const ProbeBrowser&) = delete;
  ProbeBrowser& operator=(const ProbeBrowser&) = delete;
  /// Kills the browser and waits for its last process, so that the profile goes whole.
  ~ProbeBrowser();

  /// The result of a command. Events that come meanwhile are kept or handled.
  Json call(const std::string& method, Json params = Json::object(),
            const std::string& session = "");
  /// Sends without waiting for the answer.
  std::int64_t send(const std::string& method, Json params = Json::object(),
                    const std::string& session = "");
  /// The answer to what was sent: {"result": ...} or {"error": ...}.
  Json wait_reply(std::int64_t id);
  /// The next event of that name that fits, kept or to come; null after `patience`.
  Json wait_event(const std::string& method,
                  const std::function<bool(const Json& params)>& fits = {},
                  std::chrono::milliseconds patience = std::chrono::seconds(10));
  /// Called for every event as it arrives, in order; may call send().
  void on_event(std::function<void(const Json& event)> handler) { handler_ = std::move(handler); }

  /// A new tab, attached, with the Page domain on.
  struct Tab {
    std::string target;
    std::string session;
  };
  Tab open_tab();
  /// Navigates and waits for the load event.
  void load(const Tab& tab, const std::string& url);
  /// The value of an expression in the page's own world.
  Json evaluate(const Tab& tab, const std::string& expression);
  /// The same in a world of our own.
  Json evaluate_isolated(const Tab& tab, const std::string& expression);
  /// A trusted click at the centre of the first element that the selector finds;
  /// `modifiers` as Input.dispatchMouseEvent has them.
  void click(const Tab& tab, const std::string& selector, int modifiers = 0);
  std::string version();

 private:
  Json step(Deadline deadline);
  Json unwrap(Json reply, const std::string& what);
  Json evaluate_in(const Tab& tab, const std::string& expression, Json params);

  test::ScratchFolder profile_;
  std::optional<cli::demo::PipedProcess> process_;
  std::string incoming_;
  std::int64_t last_id_ = 0;
  std::map<std::int64_t, Json> replies_;
  std::vector<Json> events_;
  std::function<void(const Json&)> handler_;
};

}  // namespace agentlock::probe
