#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include <catch2/catch.hpp>

namespace agentlock::browser::test {

/// A private folder that goes with its owner.
struct TempFolder {
  TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "agentlock-test-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path = std::filesystem::canonical(name);
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  std::filesystem::path path;
};

}  // namespace agentlock::browser::test
