#include "cli/state_folder.hpp"

#include <catch2/catch.hpp>

using agentlock::cli::state_folder;

TEST_CASE("the state folder is in the user's own place or nowhere", "[unit]") {
  CHECK(*state_folder("/home/u", nullptr) == "/home/u/.local/state/agentlock-browser");
  CHECK(*state_folder("/home/u", "") == "/home/u/.local/state/agentlock-browser");
  CHECK(*state_folder("/home/u", "/state") == "/state/agentlock-browser");
  CHECK(*state_folder("/home/u", "relative") == "/home/u/.local/state/agentlock-browser");
  CHECK(*state_folder(nullptr, "/state/") == "/state/agentlock-browser");
  CHECK_FALSE(state_folder(nullptr, nullptr));
  CHECK_FALSE(state_folder("", nullptr));
  CHECK_FALSE(state_folder("relative", "relative"));
}
