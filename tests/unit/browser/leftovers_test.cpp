#include "browser/leftovers.hpp"

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <catch2/catch.hpp>
#include <sys/stat.h>

#include "browser/profile_folder.hpp"
#include "temp_folder.hpp"

namespace fs = std::filesystem;

namespace agentlock::browser {
namespace {

using test::TempFolder;

fs::path make_private(const fs::path& folder) {
  fs::create_directory(folder);
  ::chmod(folder.c_str(), 0700);
  return folder;
}

}  // namespace

TEST_CASE("a folder that a killed run left is removed with all that is in it", "[unit]") {
  const TempFolder temp;
  fs::path root;
  {
    const auto folder = ProfileFolder::create(temp.path);
    REQUIRE(folder);
    root = folder->root();
    std::ofstream(folder->profile() / "Cookies") << "secret";
  }
  REQUIRE(fs::exists(root));
  CHECK(sweep_leftovers(temp.path) == 1);
  CHECK(fs::is_empty(temp.path));
}

TEST_CASE("the folder of a run that lives is left alone", "[unit]") {
  const TempFolder temp;
  const auto folder = ProfileFolder::create(temp.path);
  REQUIRE(folder);
  CHECK(sweep_leftovers(temp.path) == 0);
  CHECK(fs::exists(folder->profile() / "Default" / "Preferences"));
}

TEST_CASE("nothing but our own marked folders is ever removed", "[unit]") {
  const TempFolder temp;
  const TempFolder elsewhere;
  const std::string prefix(kFolderPrefix);
  const std::string marker(kMarkerName);

  make_private(temp.path / (prefix + "nomark"));
  make_private(temp.path / "other-marked");
  {
    const auto lock = mark_folder(temp.path / "other-marked");
  }
  make_private(temp.path / (prefix + "forged"));
  std::ofstream(temp.path / (prefix + "forged") / marker) << "something else";
  make_private(temp.path / (prefix + "public"));
  {
    const auto lock = mark_folder(temp.path / (prefix + "public"));
  }
  ::chmod((temp.path / (prefix + "public")).c_str(), 0755);
  std::ofstream(temp.path / (prefix + "file")) << "x";
  make_private(elsewhere.path / "target");
  {
    const auto lock = mark_folder(elsewhere.path / "target");
  }
  fs::create_directory_symlink(elsewhere.path / "target", temp.path / (prefix + "link"));
  make_private(temp.path / (prefix + "linked"));
  fs::create_symlink(elsewhere.path / "target" / marker, temp.path / (prefix + "linked") / marker);

  CHECK(sweep_leftovers(temp.path) == 0);
  CHECK(std::distance(fs::directory_iterator(temp.path), fs::directory_iterator()) == 7);
  CHECK(fs::exists(elsewhere.path / "target" / marker));
  CHECK(sweep_leftovers(temp.path / "does-not-exist") == 0);
}

TEST_CASE("a link inside a leftover is removed and what it points to is not", "[unit]") {
  const TempFolder temp;
  const TempFolder elsewhere;
  std::ofstream(elsewhere.path / "precious") << "x";
  {
    const auto folder = ProfileFolder::create(temp.path);
    REQUIRE(folder);
    fs::create_directory_symlink(elsewhere.path, folder->profile() / "SingletonSocket");
  }
  CHECK(sweep_leftovers(temp.path) == 1);
  CHECK(fs::exists(elsewhere.path / "precious"));
}

TEST_CASE("an interrupted removal is completed by the next sweep", "[unit]") {
  const TempFolder temp;
  {
    const auto folder = ProfileFolder::create(temp.path);
    REQUIRE(folder);
    fs::remove_all(folder->profile());
    fs::remove_all(folder->root() / "home");
  }
  CHECK(sweep_leftovers(temp.path) == 1);
  CHECK(fs::is_empty(temp.path));
}

}  // namespace agentlock::browser
