#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "agentlock/result.hpp"
#include "base/descriptor.hpp"
#include "browser/launch_flags.hpp"

namespace agentlock::browser {

/// The private folder (0700) of one run of the browser: its home, its temporary
/// files, an empty PATH folder and, unless the operator has one of his own, the
/// profile. Marked and locked, see leftovers.hpp. The folder does not remove
/// itself: the reaper does.
class ProfileFolder {
 public:
  /// In `parent`, or if that is empty in $TMPDIR, or in /tmp.
  static Result<ProfileFolder> create(const std::filesystem::path& parent);
  /// The same, but with the operator's own profile, which must be a folder of the
  /// user with mode 0700 that no other run uses. Service workers that earlier
  /// runs left in it are removed (attacks.md, A34).
  static Result<ProfileFolder> create_around(const std::filesystem::path& parent,
                                             const std::filesystem::path& user_data_dir);

  /// The private folder.
  const std::filesystem::path& root() const { return root_; }
  /// Chromium's --user-data-dir.
  const std::filesystem::path& profile() const { return profile_; }
  /// Held as long as the folder is needed.
  const Descriptor& lock() const { return lock_; }
  /// The same for the operator's own profile; closed if there is none.
  const Descriptor& profile_lock() const { return profile_lock_; }

  /// The whole environment of the browser, as NAME=value (attacks.md, A52): an
  /// empty PATH keeps it from running helpers (navigation.md, fact 10), and with
  /// a TMPDIR of its own it leaves no sockets in /tmp when it is killed.
  std::vector<std::string> environment(const BrowserSettings& settings) const;

 private:
  ProfileFolder(std::filesystem::path root, std::filesystem::path profile, Descriptor lock,
                Descriptor profile_lock);
  std::filesystem::path root_;
  std::filesystem::path profile_;
  Descriptor lock_;
  Descriptor profile_lock_;
};

/// Where folders are made if `parent` is what the operator said.
std::filesystem::path folder_parent(const std::filesystem::path& parent);

}  // namespace agentlock::browser
