#include "browser/chromium_locator.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <catch2/catch.hpp>

#include "temp_folder.hpp"

namespace fs = std::filesystem;

namespace agentlock::browser {
namespace {

// A file system of its own, below one folder.
struct World {
  fs::path add(const std::string& name, const std::string& text, bool executable = true) {
    const fs::path file = root / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
    if (executable) fs::permissions(file, fs::perms::owner_all);
    return file;
  }

  test::TempFolder folder;
  const fs::path& root = folder.path;
};

const std::string kElf =
    "\x7f"
    "ELF and so on";
const std::string kScript = "#!/bin/sh\nexec something\n";

}  // namespace

TEST_CASE("a browser on PATH is found, and a distribution's launcher looked through", "[unit]") {
  World w;
  w.add("usr/bin/chromium", kScript);
  const fs::path program = w.add("usr/lib/chromium/chromium", kElf);
  const std::string path =
      "relative::" + (w.root / "empty").string() + ":" + (w.root / "usr/bin").string();
  const auto found = locate_chromium("", {path, {}});
  REQUIRE(found);
  CHECK(*found == program);
}

TEST_CASE("a vendor's launcher lies beside its program, behind a link", "[unit]") {
  World w;
  w.add("opt/google/chrome/google-chrome", kScript);
  const fs::path program = w.add("opt/google/chrome/chrome", kElf);
  fs::create_directories(w.root / "bin");
  fs::create_symlink(w.root / "opt/google/chrome/google-chrome", w.root / "bin/google-chrome");
  const std::string path = (w.root / "bin").string();
  const auto found = locate_chromium("", {path, {}});
  REQUIRE(found);
  CHECK(*found == program);
}

TEST_CASE("a launcher that leads nowhere does not hide a browser further on", "[unit]") {
  World w;
  w.add("a/chromium", kScript);
  w.add("b/chromium", kElf, false);
  w.add("c/snap", kElf);
  fs::create_directories(w.root / "d");
  fs::create_symlink(w.root / "c/snap", w.root / "d/chromium");
  const fs::path program = w.add("e/anything", kElf);
  const std::string path =
      (w.root / "a").string() + ":" + (w.root / "b").string() + ":" + (w.root / "d").string();
  const auto found = locate_chromium("", {path, {program}});
  REQUIRE(found);
  CHECK(*found == program);
}

TEST_CASE("no browser: the places looked at and how to name one", "[unit]") {
  World w;
  const std::string path = w.root.string();
  const auto found = locate_chromium("", {path, {w.root / "usual/chromium"}});
  REQUIRE_FALSE(found);
  CHECK(found.error().code() == ErrorCode::kNotFound);
  for (const std::string& part :
       {(w.root / "chromium").string(), (w.root / "usual/chromium").string(),
        std::string("chromium_path"), std::string("AGENTLOCK_BROWSER_CHROMIUM")}) {
    INFO(part);
    CHECK(found.error().message().find(part) != std::string::npos);
  }
}

TEST_CASE("a browser that was named is the only one looked at", "[unit]") {
  World w;
  const fs::path program = w.add("usual/chromium", kElf);
  const auto found = locate_chromium(w.root / "typo", {"", {program}});
  REQUIRE_FALSE(found);
  CHECK(found.error().message().find((w.root / "typo").string()) != std::string::npos);
  CHECK(*locate_chromium(program, {"", {}}) == program);
}

}  // namespace agentlock::browser
