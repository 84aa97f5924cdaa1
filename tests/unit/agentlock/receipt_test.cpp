#include "agentlock/receipt.hpp"

#include <array>
#include <set>
#include <span>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "agentlock/receipt_signature.hpp"
#include "base/json.hpp"

using namespace agentlock;

namespace {

// The worked example of agentlock-engine.md, section 10.
SigningKey example_key() {
  std::array<std::uint8_t, 32> seed{};
  for (std::size_t i = 0; i < seed.size(); ++i) seed[i] = static_cast<std::uint8_t>(i);
  return std::move(*SigningKey::from_seed(seed, "test-key"));
}

Receipt example() {
  Receipt receipt;
  receipt.receipt_id = "rcpt_000102030405060708090a0b";
  receipt.timestamp = 1754500000.123456;
  receipt.decision = "deny";
  receipt.tool_name = "browser.navigate";
  receipt.user_id = "u";
  receipt.role = "op";
  receipt.parameters_hash = parameters_hash(text_parameters("url", "http://evil.test/x"));
  receipt.reason = "param_lineage";
  receipt.signing_key_id = "test-key";
  return receipt;
}

}  // namespace

TEST_CASE("a receipt signs as the genuine signer's worked example", "[unit]") {
  const SigningKey key = example_key();
  CHECK(key.public_key_hex() == "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8");
  const auto receipt = sign(example(), key, SigningMethod::kEd25519);
  REQUIRE(receipt);
  CHECK(receipt->signature ==
        "ba1992e96e1160ba7f8fc7ebabb6f8f2aecd0d7923b431cf5c0c077388805037eb6babc92059e40f4919d4466c"
        "52c9f6d13153f56c575d5a48dc6fe347996200");
  CHECK(verify_receipt(*receipt, key.public_key()));
}

// Expected value by Python's hmac over the same bytes.
TEST_CASE("an HMAC receipt verifies with the secret alone", "[unit]") {
  const SigningKey key = example_key();
  const auto receipt = sign(example(), key, SigningMethod::kHmacSha256);
  REQUIRE(receipt);
  CHECK(receipt->signature == "46363223afcebdf841d3ae92b2e81256c00e2f5729e11990e4fb14d7ae684881");
  CHECK(verify_hmac_receipt(*receipt, key));
  CHECK_FALSE(verify_receipt(*receipt, key.public_key()));
  Receipt changed = *receipt;
  changed.decision = "allow";
  CHECK_FALSE(verify_hmac_receipt(changed, key));
}

TEST_CASE("a change to any signed field is found", "[unit]") {
  const SigningKey key = example_key();
  const Receipt receipt = *sign(example(), key, SigningMethod::kEd25519);
  std::string Receipt::* const texts[] = {&Receipt::receipt_id,   &Receipt::decision,
                                          &Receipt::tool_name,    &Receipt::user_id,
                                          &Receipt::role,         &Receipt::parameters_hash,
                                          &Receipt::reason,       &Receipt::policy_version_hash,
                                          &Receipt::context_hash, &Receipt::signing_key_id};
  for (const auto text : texts) {
    Receipt changed = receipt;
    changed.*text += "x";
    CHECK_FALSE(verify_receipt(changed, key.public_key()));
  }
  Receipt changed = receipt;
  changed.timestamp += 0.000001;
  CHECK_FALSE(verify_receipt(changed, key.public_key()));
  changed = receipt;
  changed.trust_ceiling = "derived";
  CHECK_FALSE(verify_receipt(changed, key.public_key()));
  changed = receipt;
  changed.signature[0] = 'c';
  CHECK_FALSE(verify_receipt(changed, key.public_key()));
  changed.signature = "";
  CHECK_FALSE(verify_receipt(changed, key.public_key()));
}

TEST_CASE("a text moved from one field to the next is found", "[unit]") {
  const SigningKey key = example_key();
  Receipt receipt = *sign(example(), key, SigningMethod::kEd25519);
  receipt.role.swap(receipt.user_id);
  CHECK_FALSE(verify_receipt(receipt, key.public_key()));
}

TEST_CASE("a text that would make the signed bytes ambiguous is refused", "[unit]") {
  const SigningKey key = example_key();
  Receipt receipt = example();
  receipt.user_id = std::string("u\0op", 4);
  CHECK_FALSE(sign(receipt, key, SigningMethod::kEd25519));
  receipt.user_id = "\xC3";
  CHECK_FALSE(issue(receipt, key, SigningMethod::kEd25519));
}

TEST_CASE("an issued receipt has an id of its own and names its key", "[unit]") {
  const SigningKey key = example_key();
  std::set<std::string> ids;
  for (int i = 0; i < 100; ++i) {
    const auto receipt = issue(example(), key, SigningMethod::kEd25519);
    REQUIRE(receipt);
    CHECK(receipt->receipt_id.size() == 29);
    CHECK(receipt->receipt_id.starts_with("rcpt_"));
    CHECK(receipt->signing_key_id == "test-key");
    CHECK(verify_receipt(*receipt, key.public_key()));
    ids.insert(receipt->receipt_id);
  }
  CHECK(ids.size() == 100);
}

TEST_CASE("a receipt still verifies after its way through JSON text", "[unit]") {
  const SigningKey key = example_key();
  Receipt receipt = example();
  receipt.timestamp = GENERATE(1754500000.123456, 0.0, 1754500000.1234565, 4102444800.9999995);
  receipt.trust_ceiling = GENERATE(std::optional<std::string>(), std::optional<std::string>("é\n"));
  receipt = *sign(receipt, key, SigningMethod::kEd25519);
  const auto read = receipt_of(*parse_json(to_line(to_json(receipt))));
  REQUIRE(read);
  CHECK(verify_receipt(*read, key.public_key()));
  CHECK(to_json(*read) == to_json(receipt));
}

TEST_CASE("a receipt without one of its members is none", "[unit]") {
  const Json whole = to_json(*sign(example(), example_key(), SigningMethod::kEd25519));
  REQUIRE(receipt_of(whole));
  for (const auto& [name, value] : whole.items()) {
    if (name == "metadata") continue;
    Json without = whole;
    without.erase(name);
    CHECK_FALSE(receipt_of(without));
    without[name] = Json::array();
    CHECK_FALSE(receipt_of(without));
  }
}

// Expected value by Python's hashlib over the JSON text.
TEST_CASE("a policy's hash depends on what it says and not on the allowlist's order", "[unit]") {
  const Origin one = *Origin::parse_entry("https://docs.example.com");
  const Origin two = *Origin::parse_entry("https://a.example.com:8443");
  Policy policy{.lineage_mode = LineageMode::kAgentlock, .confirm_unclassified = true};
  const Origin origins[] = {one, two};
  const Origin reversed[] = {two, one};
  CHECK(policy_version_hash(policy, origins) ==
        "a23c70a2b55b809d98d7cf2dda4bb2b9b23d04e8bcdc4a519b7126a451a86e4f");
  CHECK(policy_version_hash(policy, reversed) == policy_version_hash(policy, origins));
  const std::string before = policy_version_hash(policy, origins);
  CHECK(policy_version_hash(policy, std::span(origins, 1)) != before);
  policy.hop_policy = HopPolicy::kStrict;
  CHECK(policy_version_hash(policy, origins) != before);
}
