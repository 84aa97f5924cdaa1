#include "browser/profile_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.hpp"
#include "browser/leftovers.hpp"

namespace agentlock::browser {
namespace fs = std::filesystem;
namespace {

constexpr std::uintmax_t kMaxPreferences = std::uintmax_t{64} << 20;

Result<void> make_folder(const fs::path& folder) {
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return fail_with_errno("making " + folder.string());
  }
  return {};
}

Result<Json> read_preferences(const fs::path& file) {
  std::error_code problem;
  const auto size = fs::file_size(file, problem);
  if (problem == std::errc::no_such_file_or_directory) return Json(Json::object());
  if (problem || size > kMaxPreferences) {
    return fail(ErrorCode::kIo, "the preferences in " + file.string() + " can't be read");
  }
  std::ifstream in(file, std::ios::binary);
  auto value = parse_json(std::string(std::istreambuf_iterator<char>(in), {}));
  if (!value) return fail(value.error(), "the preferences in " + file.string());
  if (!value->is_object()) {
    return fail(ErrorCode::kIo, "the preferences in " + file.string() + " are no JSON object");
  }
  return value;
}

// No prediction: else Chromium connects to a page's links, and asks DNS for them,
// before and while a navigation is held (navigation.md, fact 4, section 2).
Result<void> write_preferences(const fs::path& profile) {
  const fs::path folder = profile / "Default";
  if (auto made = make_folder(folder); !made) return made;
  const fs::path file = folder / "Preferences";
  AGENTLOCK_TRY(preferences, read_preferences(file));
  Json& net = preferences["net"];
  if (!net.is_object()) net = Json::object();
  net["network_prediction_options"] = 2;
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << to_line(preferences);
  out.close();
  if (!out) return fail(ErrorCode::kIo, "writing " + file.string() + " failed");
  return {};
}

// A worker of an origin that was visited earlier answers navigations to it before
// interception sees them (navigation.md, fact 5).
Result<void> remove_service_workers(const fs::path& user_data_dir) {
  std::error_code problem;
  for (fs::directory_iterator entry(user_data_dir, problem), end; !problem && entry != end;
       entry.increment(problem)) {
    std::error_code no_folder;
    if (!entry->is_directory(no_folder) || entry->is_symlink(no_folder)) continue;
    fs::remove_all(entry->path() / "Service Worker", problem);
    if (problem) break;
  }
  if (problem) {
    return fail(ErrorCode::kIo, "removing the service workers in " + user_data_dir.string() + ": " +
                                    problem.message());
  }
  return {};
}

Result<Descriptor> lock_users_folder(const fs::path& folder) {
  Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!opened.is_open()) return fail_with_errno("user_data_dir " + folder.string());
  struct stat about{};
  if (::fstat(opened.get(), &about) != 0 || about.st_uid != ::geteuid() ||
      (about.st_mode & 0077) != 0) {
    return fail(ErrorCode::kRefused, "user_data_dir " + folder.string() +
                                         " must be a folder of your own that nobody else can enter "
                                         "(chmod 700)");
  }
  if (::flock(opened.get(), LOCK_EX | LOCK_NB) != 0) {
    return fail(ErrorCode::kRefused,
                "user_data_dir " + folder.string() + " is in use by another agentlock-browser");
  }
  return opened;
}

struct Made {
  fs::path root;
  Descriptor lock;
};

Result<Made> make_root(const fs::path& asked_parent) {
  const fs::path parent = folder_parent(asked_parent);
  std::string name = (parent / (std::string(kFolderPrefix) + "XXXXXX")).string();
  if (::mkdtemp(name.data()) == nullptr) {
    return fail_with_errno("making a private folder in " + parent.string() + " (see TMPDIR)");
  }
  Made made{name, {}};
  auto lock = mark_folder(made.root);
  if (!lock) {
    std::error_code ignored;
    fs::remove_all(made.root, ignored);
    return tl::unexpected(lock.error());
  }
  made.lock = *std::move(lock);
  return made;
}

Result<void> fill(const fs::path& root, const fs::path& profile) {
  for (const fs::path& folder : {root / "home", root / "bin", root / "tmp", profile}) {
    if (auto made = make_folder(folder); !made) return made;
  }
  return write_preferences(profile);
}

}  // namespace

ProfileFolder::ProfileFolder(fs::path root, fs::path profile, Descriptor lock,
                             Descriptor profile_lock)
    : root_(std::move(root)),
      profile_(std::move(profile)),
      lock_(std::move(lock)),
      profile_lock_(std::move(profile_lock)) {}

Result<ProfileFolder> ProfileFolder::create(const fs::path& parent) {
  AGENTLOCK_TRY(made, make_root(parent));
  ProfileFolder folder(made.root, made.root / "profile", std::move(made.lock), Descriptor());
  if (auto filled = fill(folder.root_, folder.profile_); !filled) {
    (void)remove_marked_folder(folder.root_);
    return tl::unexpected(filled.error());
  }
  return folder;
}

Result<ProfileFolder> ProfileFolder::create_around(const fs::path& parent,
                                                   const fs::path& user_data_dir) {
  AGENTLOCK_TRY(profile_lock, lock_users_folder(user_data_dir));
  if (auto swept = remove_service_workers(user_data_dir); !swept) {
    return tl::unexpected(swept.error());
  }
  AGENTLOCK_TRY(made, make_root(parent));
  ProfileFolder folder(made.root, user_data_dir, std::move(made.lock), std::move(profile_lock));
  if (auto filled = fill(folder.root_, folder.profile_); !filled) {
    (void)remove_marked_folder(folder.root_);
    return tl::unexpected(filled.error());
  }
  return folder;
}

std::vector<std::string> ProfileFolder::environment(const BrowserSettings& settings) const {
  std::vector<std::string> variables = {
      "HOME=" + (root_ / "home").string(),
      "PATH=" + (root_ / "bin").string(),
      "TMPDIR=" + (root_ / "tmp").string(),
      "LANG=C.UTF-8",
  };
  if (!settings.timezone.empty()) variables.push_back("TZ=" + settings.timezone);
  if (!settings.headless) {
    // A window needs to know its screen.
    for (const char* name : {"DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"}) {
      if (const char* value = std::getenv(name))
        variables.push_back(std::string(name) + "=" + value);
    }
  }
  return variables;
}

fs::path folder_parent(const fs::path& parent) {
  if (!parent.empty()) return parent;
  const char* configured = std::getenv("TMPDIR");
  return configured != nullptr && *configured == '/' ? fs::path(configured) : fs::path("/tmp");
}

}  // namespace agentlock::browser
