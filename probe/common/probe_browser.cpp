#include "common/probe_browser.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <nlohmann/json.hpp>
#include <poll.h>
#include <unistd.h>

#include "support/process_table.hpp"

namespace agentlock::probe {
namespace {

using namespace std::chrono_literals;

// Debian's /usr/bin/chromium is a script that adds flags of its own.
std::string chromium() {
  if (const char* named = std::getenv("AGENTLOCK_BROWSER_CHROMIUM")) return named;
  const std::string debian = "/usr/lib/chromium/chromium";
  return std::filesystem::exists(debian) ? debian : "chromium";
}

// Every origin of the site by name, and no other name at all.
std::vector<std::string> site_flags(const test::TestSite& site) {
  std::string rules;
  std::vector<std::string> flags;
  const std::vector<std::string> arguments = site.arguments();
  for (std::size_t i = 0; i + 1 < arguments.size(); i += 2) {
    std::string value = arguments[i + 1];
    if (arguments[i] == "--test-host-map") {
      value.replace(value.find('='), 1, " ");
      rules += "MAP " + value + ", ";
    } else {
      flags.push_back("--ignore-certificate-errors-spki-list=" + value);
    }
  }
  flags.push_back("--host-resolver-rules=" + rules + "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1");
  return flags;
}

}  // namespace

ProbeBrowser::ProbeBrowser(const test::TestSite& site, std::vector<std::string> flags) {
  std::filesystem::create_directories(profile_.path() / "Default");
  std::ofstream(profile_.path() / "Default/Preferences")
      << R"({"net":{"network_prediction_options":2}})";
  cli::demo::Launch launch;
  // The shell moves our two pipes to where the browser expects its debugger.
  launch.program = "/bin/sh";
  launch.arguments = {"-c",
                      "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null",
                      chromium(),
                      "--headless=new",
                      "--remote-debugging-pipe",
                      "--no-startup-window",
                      "--no-first-run",
                      "--disable-gpu",
                      "--disable-background-networking",
                      "--disable-component-update",
                      "--disable-sync",
                      "--user-data-dir=" + profile_.path().native()};
  if (::geteuid() == 0) launch.arguments.push_back("--no-sandbox");
  const std::vector<std::string> more = site_flags(site);
  launch.arguments.insert(launch.arguments.end(), more.begin(), more.end());
  launch.arguments.insert(launch.arguments.end(), flags.begin(), flags.end());
  launch.environment = cli::demo::minimal_environment(profile_.path());
  Result<cli::demo::PipedProcess> child = cli::demo::PipedProcess::start(launch);
  if (!child) throw std::runtime_error(child.error().describe());
  process_.emplace(std::move(*child));
  call("Target.setDiscoverTargets", {{"discover", true}});
}

ProbeBrowser::~ProbeBrowser() {
  process_.reset();
  test::wait_until_none_mentions(profile_.path().native(), after(10s));
}

std::int64_t ProbeBrowser::send(const std::string& method, Json params,
                                const std::string& session) {
  const std::int64_t id = ++last_id_;
  Json message = {{"id", id}, {"method", method}, {"params", std::move(params)}};
  if (!session.empty()) message["sessionId"] = session;
  std::string bytes = to_line(message) + '\0';
  const Deadline deadline = after(10s);
  while (!bytes.empty()) {
    const ssize_t written = ::write(process_->input().get(), bytes.data(), bytes.size());
    if (written > 0) {
      bytes.erase(0, static_cast<std::size_t>(written));
      continue;
    }
    std::vector<cli::demo::Wait> waits{{process_->input().get(), POLLOUT}};
    if (errno != EAGAIN || !cli::demo::wait_for_any(waits, deadline)) {
      throw std::runtime_error("the browser takes no commands");
    }
  }
  return id;
}

// Reads one message and files it; null if none came in time.
Json ProbeBrowser::step(Deadline deadline) {
  std::size_t end = incoming_.find('\0');
  while (end == std::string::npos) {
    std::vector<cli::demo::Wait> waits{{process_->output().get(), POLLIN}};
    if (!cli::demo::wait_for_any(waits, deadline)) return nullptr;
    std::array<char, 65536> piece{};
    const ssize_t got = ::read(process_->output().get(), piece.data(), piece.size());
    if (got <= 0) throw std::runtime_error("the browser is gone");
    incoming_.append(piece.data(), static_cast<std::size_t>(got));
    end = incoming_.find('\0');
  }
  Result<Json> message = parse_json(incoming_.substr(0, end));
  incoming_.erase(0, end + 1);
  if (!message) throw std::runtime_error("the browser sent no JSON");
  if (const Json* id = member(*message, "id")) {
    replies_[id->get<std::int64_t>()] = *message;
  } else {
    events_.push_back(*message);
    if (handler_) handler_(*message);
  }
  return std::move(*message);
}

Json ProbeBrowser::wait_reply(std::int64_t id) {
  const Deadline deadline = after(20s);
  while (!replies_.contains(id)) {
    if (step(deadline).is_null()) throw std::runtime_error("a command was not answered");
  }
  Json reply = std::move(replies_[id]);
  replies_.erase(id);
  return reply;
}

Json ProbeBrowser::call(const std::string& method, Json params, const std::string& session) {
  return unwrap(wait_reply(send(method, std::move(params), session)), method);
}

Json ProbeBrowser::unwrap(Json reply, const std::string& what) {
  if (member(reply, "error") != nullptr) {
    throw std::runtime_error(what + ": " + to_line(reply.at("error")));
  }
  return std::move(reply.at("result"));
}

Json ProbeBrowser::wait_event(const std::string& method,
                              const std::function<bool(const Json& params)>& fits,
                              std::chrono::milliseconds patience) {
  const Deadline deadline = after(patience);
  std::size_t seen = 0;
  while (true) {
    for (; seen < events_.size(); ++seen) {
      const Json& event = events_[seen];
      if (string_member(event, "method") != method) continue;
      if (fits && !fits(event.at("params"))) continue;
      Json params = event.at("params");
      events_.erase(events_.begin() + static_cast<std::ptrdiff_t>(seen));
      return params;
    }
    if (step(deadline).is_null()) return nullptr;
  }
}

ProbeBrowser::Tab ProbeBrowser::open_tab() {
  Tab tab;
  tab.target = call("Target.createTarget", {{"url", "about:blank"}}).at("targetId");
  Json attach = {{"targetId", tab.target}, {"flatten", true}};
  tab.session = call("Target.attachToTarget", std::move(attach)).at("sessionId");
  call("Page.enable", Json::object(), tab.session);
  return tab;
}

void ProbeBrowser::load(const Tab& tab, const std::string& url) {
  std::erase_if(events_, [](const Json& event) {
    return string_member(event, "method") == "Page.loadEventFired";
  });
  call("Page.navigate", {{"url", url}}, tab.session);
  if (wait_event("Page.loadEventFired").is_null()) throw std::runtime_error(url + " did not load");
}

Json ProbeBrowser::evaluate(const Tab& tab, const std::string& expression) {
  return evaluate_in(tab, expression, Json::object());
}

Json ProbeBrowser::evaluate_isolated(const Tab& tab, const std::string& expression) {
  Json world = {{"frameId", tab.target}, {"worldName", "probe"}};
  Json context = call("Page.createIsolatedWorld", std::move(world), tab.session);
  Json params = {{"contextId", context.at("executionContextId")}};
  return evaluate_in(tab, expression, std::move(params));
}

Json ProbeBrowser::evaluate_in(const Tab& tab, const std::string& expression, Json params) {
  params["expression"] = expression;
  params["returnByValue"] = true;
  params["awaitPromise"] = true;
  Json reply = call("Runtime.evaluate", std::move(params), tab.session);
  if (member(reply, "exceptionDetails") != nullptr) {
    throw std::runtime_error(expression + ": " + to_line(reply.at("exceptionDetails")));
  }
  return reply.at("result").value("value", Json());
}

void ProbeBrowser::click(const Tab& tab, const std::string& selector, int modifiers) {
  const Json at = evaluate_isolated(
      tab, "(() => { const r = document.querySelector('" + selector +
               "').getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()");
  for (const char* type : {"mousePressed", "mouseReleased"}) {
    call("Input.dispatchMouseEvent",
         {{"type", type},
          {"x", at[0]},
          {"y", at[1]},
          {"button", "left"},
          {"clickCount", 1},
          {"modifiers", modifiers}},
         tab.session);
  }
}

std::string ProbeBrowser::version() { return call("Browser.getVersion").at("product"); }

}  // namespace agentlock::probe
