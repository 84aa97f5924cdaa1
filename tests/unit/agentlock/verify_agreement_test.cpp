#include <catch2/catch.hpp>

#include "agentlock/context_chain.hpp"
#include "agentlock/log_line.hpp"
#include "agentlock/sha256.hpp"
#include "unit/agentlock/log_support.hpp"

// What a line says must be what its receipt, its session's start and the provenance
// before it say. Whoever has no key can write such a line only where no signature
// covers it yet; whoever has the key, or a faulty server, anywhere.

using namespace agentlock;
using namespace agentlock::test;

namespace {

Json start_of(const SigningKey& key) {
  return {{"policy_version_hash", std::string(64, 'a')},
          {"config", {{"role", "operator"}}},
          {"signing_key_id", key.key_id()}};
}

/// A provenance line that follows in the chain, which it moves on.
Json provenance(ContextChain& chain, std::string content, std::string channel) {
  const std::string authority = channel == "PAGE" ? "untrusted" : "authoritative";
  Json fields = {{"provenance_id", "cprov_1"}, {"channel", channel},
                 {"source", "snapshot"},       {"content_hash", sha256_hex(content)},
                 {"bytes", content.size()},    {"content", content},
                 {"authority", authority},     {"writer_id", "w"},
                 {"timestamp", 1754500000.125}};
  fields["context_hash"] =
      *chain.add(sha256_hex(content), "snapshot", authority, "w", 1754500000.125);
  return fields;
}

Receipt receipt_for(const ContextChain& chain) {
  Receipt receipt;
  receipt.timestamp = 1754500000.25;
  receipt.decision = "deny";
  receipt.tool_name = "browser.navigate";
  receipt.user_id = "agentlock-browser";
  receipt.role = "operator";
  receipt.parameters_hash = parameters_hash(text_parameters("url", "http://evil.test/\"x\"\n"));
  receipt.reason = "param_lineage";
  receipt.policy_version_hash = std::string(64, 'a');
  receipt.context_hash = chain.head();
  return receipt;
}

Json decision(const SigningKey& key, Receipt receipt) {
  Json fields = {{"action", "browser.navigate"},
                 {"parameters", {{"url", "http://evil.test/\"x\"\n"}}},
                 {"decision", "deny"},
                 {"channel", "PAGE"},
                 {"reason", "param_lineage"}};
  fields["receipt"] = to_json(*issue(std::move(receipt), key, SigningMethod::kEd25519));
  return fields;
}

/// One session of a start, two entries of provenance and a decision, as it is told to
/// be; unfinished, as after a kill.
struct Story {
  SigningKey key = test_key();
  ModelClock clock;
  ModelFile file;
  Json start = start_of(key);
  ContextChain chain;
  Json operators = provenance(chain, "Open it.", "USER");
  Json pages = provenance(chain, "A page\xC3\xA9", "PAGE");
  Json decided = decision(key, receipt_for(chain));
  bool without_pages = false;

  void write() {
    start.erase("signing_key_id");
    DecisionLog log(ModelLog::setup(file, key, clock, "als_story"), start);
    REQUIRE(log.append("provenance", operators));
    if (!without_pages) REQUIRE(log.append("provenance", pages));
    REQUIRE(log.append("decision", decided));
  }

  void check_contradiction(std::uint64_t line, const std::string& words) {
    write();
    const VerifyReport report = verified(file.bytes, &key);
    CHECK(report.verdict == LogVerdict::kBroken);
    REQUIRE(report.first_fault);
    INFO(to_json(report).dump());
    CHECK(to_string(report.first_fault->kind) == "contradiction");
    CHECK(report.first_fault->line == line);
    CHECK(report.first_fault->session == "als_story");
    CHECK(report.first_fault->seq == line - 1);
    CHECK(report.first_fault->detail.find(words) != std::string::npos);
  }
};

}  // namespace

TEST_CASE("a log that says the same everywhere holds", "[unit]") {
  Story story;
  story.write();
  const VerifyReport report = verified(story.file.bytes, &story.key);
  INFO(to_json(report).dump());
  CHECK(report.verdict == LogVerdict::kUnfinished);
  CHECK_FALSE(report.first_fault);
}

TEST_CASE("a decision that says otherwise than its receipt is found", "[unit]") {
  Story story;
  const std::string member = GENERATE("action", "parameters", "decision", "reason");
  INFO(member);
  SECTION("another value") {
    if (member == "parameters") {
      story.decided[member] = GENERATE(Json{{"url", "http://good.test/"}}, Json::object(),
                                       Json{{"url", "http://evil.test/\"x\"\n"}, {"more", 1}},
                                       Json{{"value", "http://evil.test/\"x\"\n"}});
    } else {
      story.decided[member] = GENERATE("allow", "browser.type", "");
    }
  }
  SECTION("another type") { story.decided[member] = GENERATE(Json(), Json(1), Json::array()); }
  SECTION("missing") { story.decided.erase(member); }
  story.check_contradiction(4, member);
}

TEST_CASE("a receipt that says otherwise than its session is found", "[unit]") {
  Story story;
  Receipt receipt = receipt_for(story.chain);
  std::string words;
  SECTION("its policy") {
    receipt.policy_version_hash = std::string(64, 'b');
    words = "policy_version_hash";
  }
  SECTION("its role") {
    receipt.role = "admin";
    words = "role";
  }
  SECTION("a context that nothing led to") {
    receipt.context_hash = sha256_hex("x");
    words = "context_hash";
  }
  SECTION("a context before the last entry") {
    receipt.context_hash = story.operators["context_hash"];
    words = "context_hash";
  }
  SECTION("a time after its line") {
    receipt.timestamp = 1754500001;
    words = "later time";
  }
  story.decided = decision(story.key, receipt);
  story.check_contradiction(4, words);
}

TEST_CASE("decisions in another order than their receipts are found", "[unit]") {
  Story story;
  story.write();
  DecisionLog log(ModelLog::setup(story.file, story.key, story.clock, "als_order"), story.start);
  Receipt first = receipt_for(ContextChain());
  Receipt second = first;
  second.timestamp += 0.125;
  REQUIRE(log.append("decision", decision(story.key, second)));
  REQUIRE(log.append("decision", decision(story.key, first)));
  const VerifyReport report = verified(story.file.bytes, &story.key);
  REQUIRE(report.first_fault);
  CHECK(to_string(report.first_fault->kind) == "contradiction");
  CHECK(report.first_fault->line == 7);
  CHECK(report.first_fault->detail.find("earlier time") != std::string::npos);
}

TEST_CASE("provenance that contradicts itself is found", "[unit]") {
  Story story;
  std::string words = "context_hash";
  SECTION("its source") { story.pages["source"] = "operator_text"; }
  SECTION("its hash") {
    story.pages.erase("content");
    story.pages["content_hash"] = sha256_hex("another page");
  }
  SECTION("its time") { story.pages["timestamp"] = 1754500000.0; }
  SECTION("its writer") { story.pages["writer_id"] = "someone"; }
  SECTION("its place in the chain") { story.pages["context_hash"] = sha256_hex("x"); }
  SECTION("no time") { story.pages.erase("timestamp"); }
  SECTION("its channel alone") {
    story.pages["channel"] = "USER";
    words = "authority";
  }
  SECTION("its channel and authority") {
    story.pages["channel"] = "USER";
    story.pages["authority"] = "authoritative";
  }
  SECTION("its text") {
    story.pages["content"] = "A nicer page";
    words = "content_hash";
  }
  SECTION("its length") {
    story.pages["bytes"] = 1;
    words = "bytes";
  }
  story.check_contradiction(3, words);
}

TEST_CASE("provenance that was taken out is missed by the next receipt", "[unit]") {
  Story story;
  story.without_pages = true;
  story.check_contradiction(3, "context_hash");
}

TEST_CASE("provenance in another order does not follow", "[unit]") {
  Story story;
  std::swap(story.operators, story.pages);
  story.check_contradiction(2, "context_hash");
}

TEST_CASE("a session that calls its key otherwise than the key's own id is found", "[unit]") {
  Story story;
  std::array<std::uint8_t, 32> seed{};
  story.key = std::move(*SigningKey::from_seed(seed, "key_of_mine"));
  story.decided = decision(story.key, receipt_for(story.chain));
  story.check_contradiction(1, "signing_key_id");
}

TEST_CASE("a line that readers could read in two ways is no line of the log", "[unit]") {
  Story story;
  story.write();
  auto lines = lines_of(story.file.bytes);
  std::string& line = lines.back();
  line = line.substr(0, line.rfind(",\"hash\""));
  SECTION("a member twice") { line += ",\"decision\":\"deny\""; }
  SECTION("a member twice, the first of them changed") {
    const std::string_view denied = "\"decision\":\"deny\"";
    line.replace(line.find(denied), denied.size(), "\"decision\":\"allow\",\"decision\":\"deny\"");
  }
  SECTION("white space") { line.insert(line.find(",\"channel\""), " "); }
  SECTION("another spelling of a text") { line.replace(line.find("PAGE"), 1, "\\u0050"); }
  SECTION("another spelling of a number") { line.insert(line.find(",\"iso\""), "0"); }
  std::string hash;
  close_line(line, string_member(*parse_json(lines[2]), "hash"), hash);
  line.pop_back();
  const VerifyReport report = verified(joined(lines), &story.key);
  REQUIRE(report.first_fault);
  INFO(to_json(report).dump());
  CHECK(to_string(report.first_fault->kind) == "changed_line");
  CHECK(report.first_fault->line == 4);
  CHECK(report.first_fault->detail.find("spelled") != std::string::npos);
}
