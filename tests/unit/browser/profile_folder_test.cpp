#include "browser/profile_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "base/json.hpp"
#include "browser/leftovers.hpp"
#include "temp_folder.hpp"

namespace fs = std::filesystem;

namespace agentlock::browser {
namespace {

using test::TempFolder;

Json preferences_in(const fs::path& profile) {
  std::ifstream in(profile / "Default" / "Preferences");
  return Json::parse(in);
}

bool is_private(const fs::path& folder) {
  struct stat about{};
  return ::stat(folder.c_str(), &about) == 0 && (about.st_mode & 0777) == 0700;
}

}  // namespace

TEST_CASE("a private folder has a profile that predicts nothing", "[unit]") {
  const TempFolder temp;
  const auto folder = ProfileFolder::create(temp.path);
  REQUIRE(folder);
  CHECK(folder->root().parent_path() == temp.path);
  CHECK(is_private(folder->root()));
  CHECK(is_private(folder->profile()));
  CHECK(preferences_in(folder->profile()) == Json({{"net", {{"network_prediction_options", 2}}}}));
}

TEST_CASE("the browser's environment is closed and its PATH is empty", "[unit]") {
  const TempFolder temp;
  const auto folder = ProfileFolder::create(temp.path);
  REQUIRE(folder);
  BrowserSettings settings;
  settings.timezone = "Asia/Kathmandu";
  const std::string root = folder->root().string();
  CHECK(folder->environment(settings) ==
        std::vector<std::string>{"HOME=" + root + "/home", "PATH=" + root + "/bin",
                                 "TMPDIR=" + root + "/tmp", "LANG=C.UTF-8", "TZ=Asia/Kathmandu"});
  CHECK(fs::is_empty(folder->root() / "bin"));
}

TEST_CASE("the operator's profile keeps its preferences but for prediction", "[unit]") {
  const TempFolder temp;
  const TempFolder own;
  fs::create_directories(own.path / "Default" / "Service Worker");
  fs::create_directories(own.path / "Profile 1" / "Service Worker" / "Database");
  std::ofstream(own.path / "Default" / "Preferences")
      << R"({"net":{"network_prediction_options":0,"a":1},"b":[2]})";
  const auto folder = ProfileFolder::create_around(temp.path, own.path);
  REQUIRE(folder);
  CHECK(folder->profile() == own.path);
  CHECK(preferences_in(own.path) ==
        Json({{"net", {{"network_prediction_options", 2}, {"a", 1}}}, {"b", {2}}}));
  CHECK_FALSE(fs::exists(own.path / "Default" / "Service Worker"));
  CHECK_FALSE(fs::exists(own.path / "Profile 1" / "Service Worker"));
  CHECK(remove_marked_folder(folder->root()));
  CHECK(fs::exists(own.path / "Default" / "Preferences"));
}

TEST_CASE("an operator's profile that others can enter or use is refused", "[unit]") {
  const TempFolder temp;
  const TempFolder own;
  SECTION("open to others") {
    ::chmod(own.path.c_str(), 0750);
    const auto folder = ProfileFolder::create_around(temp.path, own.path);
    REQUIRE_FALSE(folder);
    CHECK(folder.error().code() == ErrorCode::kRefused);
  }
  SECTION("in use") {
    const auto first = ProfileFolder::create_around(temp.path, own.path);
    REQUIRE(first);
    const auto second = ProfileFolder::create_around(temp.path, own.path);
    REQUIRE_FALSE(second);
    CHECK(second.error().code() == ErrorCode::kRefused);
    CHECK(remove_marked_folder(first->root()));
  }
  SECTION("behind a link") {
    fs::create_directory_symlink(own.path, temp.path / "link");
    CHECK_FALSE(ProfileFolder::create_around(temp.path, temp.path / "link"));
    fs::remove(temp.path / "link");
  }
  SECTION("with preferences that are none") {
    fs::create_directories(own.path / "Default");
    std::ofstream(own.path / "Default" / "Preferences") << "[";
    CHECK_FALSE(ProfileFolder::create_around(temp.path, own.path));
  }
  CHECK(fs::is_empty(temp.path));
}

TEST_CASE("a place where no folder can be made is named in the error", "[unit]") {
  const auto folder = ProfileFolder::create("/nowhere");
  REQUIRE_FALSE(folder);
  CHECK(folder.error().describe().find("/nowhere") != std::string::npos);
}

TEST_CASE("without TMPDIR folders are made in /tmp", "[unit]") {
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ::unsetenv("TMPDIR");
  CHECK(folder_parent("") == "/tmp");
  CHECK(folder_parent("/a") == "/a");
  ::setenv("TMPDIR", "relative", 1);
  CHECK(folder_parent("") == "/tmp");
  ::setenv("TMPDIR", "/b", 1);
  CHECK(folder_parent("") == "/b");
  if (before == nullptr) {
    ::unsetenv("TMPDIR");
  } else {
    ::setenv("TMPDIR", kept.c_str(), 1);
  }
}

}  // namespace agentlock::browser
