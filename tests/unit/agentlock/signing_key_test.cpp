#include "agentlock/signing_key.hpp"

#include <atomic>
#include <set>
#include <thread>

#include <catch2/catch.hpp>
#include <sys/stat.h>

#include "unit/agentlock/log_support.hpp"

using namespace agentlock;
using namespace agentlock::test;

namespace {

unsigned mode_of(const std::filesystem::path& path) {
  struct stat status{};
  REQUIRE(::lstat(path.c_str(), &status) == 0);
  return status.st_mode & 0777U;
}

}  // namespace

TEST_CASE("the first start makes a key, the second finds it", "[unit]") {
  const TempFolder folder;
  const auto first = SigningKey::load_or_create(folder / "key");
  REQUIRE(first);
  CHECK(mode_of(folder / "key") == 0600);
  const std::string text = read_file(folder / "key");
  CHECK(text.size() == 65);
  CHECK(text.find_first_not_of("0123456789abcdef") == 64);
  CHECK(text.back() == '\n');
  CHECK(read_file(folder / "key.pub") == first->public_key_hex() + '\n');

  const auto second = SigningKey::load_or_create(folder / "key");
  REQUIRE(second);
  CHECK(second->public_key() == first->public_key());
  CHECK(second->key_id() == first->key_id());
  CHECK(first->public_key().verifies("bytes", second->sign("bytes")));
}

TEST_CASE("two folders get two keys", "[unit]") {
  const TempFolder one;
  const TempFolder other;
  CHECK_FALSE(SigningKey::load_or_create(one / "key")->public_key() ==
              SigningKey::load_or_create(other / "key")->public_key());
}

TEST_CASE("servers that start at once agree on one key", "[unit]") {
  const TempFolder folder;
  constexpr int kServers = 8;
  std::array<std::string, kServers> keys;
  std::atomic<int> waiting = kServers;
  std::vector<std::thread> servers;
  for (auto& key : keys) {
    servers.emplace_back([&folder, &key, &waiting] {
      --waiting;
      while (waiting > 0) std::this_thread::yield();
      const auto made = SigningKey::load_or_create(folder / "key");
      key = made ? made->public_key_hex() : made.error().describe();
    });
  }
  for (auto& server : servers) server.join();
  CHECK(std::set<std::string>(keys.begin(), keys.end()) ==
        std::set<std::string>{read_file(folder / "key.pub").substr(0, 64)});
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    const auto name = entry.path().filename();
    CHECK((name == "key" || name == "key.pub"));
  }
}

TEST_CASE("the key's id comes from its public half", "[unit]") {
  CHECK(test_key().key_id() == "key_56475aa7");
}

TEST_CASE("a key file that is a link is refused", "[unit]") {
  const TempFolder folder;
  REQUIRE(SigningKey::load_or_create(folder / "real"));
  std::filesystem::create_symlink(folder / "real", folder / "key");
  const auto key = SigningKey::load_or_create(folder / "key");
  REQUIRE_FALSE(key);
  CHECK(key.error().code() == ErrorCode::kRefused);
  CHECK(key.error().message() == (folder / "key").string() + " is a symbolic link");
}

TEST_CASE("no key is made through a dangling link", "[unit]") {
  const TempFolder folder;
  std::filesystem::create_symlink(folder / "elsewhere", folder / "key");
  CHECK_FALSE(SigningKey::load_or_create(folder / "key"));
  CHECK_FALSE(std::filesystem::exists(folder / "elsewhere"));
}

TEST_CASE("a key that others can read, or that has a second name, is refused", "[unit]") {
  const TempFolder folder;
  REQUIRE(SigningKey::load_or_create(folder / "key"));
  ::chmod((folder / "key").c_str(), 0640);
  CHECK_FALSE(SigningKey::load_or_create(folder / "key"));
  ::chmod((folder / "key").c_str(), 0600);
  std::filesystem::create_hard_link(folder / "key", folder / "second");
  CHECK_FALSE(SigningKey::load_or_create(folder / "key"));
}

TEST_CASE("a FIFO in the key's place is refused without waiting", "[unit]") {
  const TempFolder folder;
  REQUIRE(::mkfifo((folder / "key").c_str(), 0600) == 0);
  CHECK_FALSE(SigningKey::load_or_create(folder / "key"));
}

TEST_CASE("a file that holds no key is refused and left as it is", "[unit]") {
  const TempFolder folder;
  const std::string content = GENERATE(std::string(), std::string("secret\n"), std::string(64, 'a'),
                                       std::string(64, 'g') + "\n", std::string(65, 'a') + "\n",
                                       std::string(64, 'a') + "\n\n");
  write_file(folder / "key", content);
  ::chmod((folder / "key").c_str(), 0600);
  CHECK_FALSE(SigningKey::load_or_create(folder / "key"));
  CHECK(read_file(folder / "key") == content);
}

TEST_CASE("a folder that others can write to, or that is a link, is refused", "[unit]") {
  const TempFolder folder;
  std::filesystem::create_directory(folder / "open");
  ::chmod((folder / "open").c_str(), 0777);
  CHECK_FALSE(SigningKey::load_or_create(folder / "open" / "key"));
  std::filesystem::create_directory(folder / "own");
  ::chmod((folder / "own").c_str(), 0700);
  std::filesystem::create_directory_symlink(folder / "own", folder / "link");
  CHECK_FALSE(SigningKey::load_or_create(folder / "link" / "key"));
  CHECK(SigningKey::load_or_create(folder / "own" / "key"));
}

TEST_CASE("a public half of another key is never overwritten", "[unit]") {
  const TempFolder folder;
  REQUIRE(SigningKey::load_or_create(folder / "key"));
  const std::string planted = std::string(64, '0') + '\n';
  write_file(folder / "key.pub", planted);
  CHECK_FALSE(SigningKey::load_or_create(folder / "key"));
  CHECK(read_file(folder / "key.pub") == planted);
}

TEST_CASE("a lost public half is written again", "[unit]") {
  const TempFolder folder;
  REQUIRE(SigningKey::load_or_create(folder / "key"));
  std::filesystem::remove(folder / "key.pub");
  const auto key = SigningKey::load_or_create(folder / "key");
  REQUIRE(key);
  CHECK(read_file(folder / "key.pub") == key->public_key_hex() + '\n');
}

TEST_CASE("a missing state folder is made for its owner alone, with what is above it", "[unit]") {
  const TempFolder home;
  const auto folder = home / ".local" / "state" / "agentlock-browser";
  REQUIRE(ensure_state_folder(folder));
  CHECK(mode_of(folder) == 0700);
  CHECK(mode_of(folder.parent_path()) == 0700);
  CHECK(ensure_state_folder(folder));
}

TEST_CASE("a planted state folder is refused", "[unit]") {
  const TempFolder home;
  const auto folder = home / "agentlock-browser";
  SECTION("open to others") {
    std::filesystem::create_directory(folder);
    ::chmod(folder.c_str(), GENERATE(0755U, 0770U, 0777U));
  }
  SECTION("a link") {
    std::filesystem::create_directory(home / "other");
    ::chmod((home / "other").c_str(), 0700);
    std::filesystem::create_directory_symlink(home / "other", folder);
  }
  SECTION("a file") { write_file(folder, ""); }
  SECTION("another user's") {
    if (::geteuid() != 0) return;  // only root can give a folder away
    std::filesystem::create_directory(folder);
    ::chmod(folder.c_str(), 0700);
    REQUIRE(::chown(folder.c_str(), 12345, 12345) == 0);
  }
  CHECK_FALSE(ensure_state_folder(folder));
}
