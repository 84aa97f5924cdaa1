#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "agentlock/client_lineage.hpp"
#include "agentlock/result.hpp"
#include "base/descriptor.hpp"
#include "tools/channel_message.hpp"

namespace agentlock::tools {

/// `channel` in the state folder, 0700: where hooks and servers meet. It holds a socket
/// for each server that listens, and for each client that runs the prompts of its
/// session, for servers that are started later. See channel_folder.cpp for the idea.
class ChannelFolder {
 public:
  /// Makes it if need be. kRefused if it is a link, another user's or open to others.
  static Result<ChannelFolder> open(const std::filesystem::path& state_folder);

  const std::filesystem::path& path() const { return path_; }

  /// The address of a socket in the folder: short whatever the folder's path is, and of
  /// this very folder. Valid as long as this object lives.
  std::string address(std::string_view name) const;
  void remove(const std::string& name) const;

  static std::string server_name(const Ancestor& server);
  /// The servers that run and have a socket here.
  std::vector<Ancestor> servers() const;

  /// Keeps a prompt for the servers of `client` that are started later; the oldest ones
  /// make room.
  Result<void> keep(const Ancestor& client, const ChannelMessage& message) const;
  void forget(const Ancestor& client, const ChannelMessage& message) const;
  /// The prompts that are kept for a client, in the order of their times.
  std::vector<ChannelMessage> kept(const Ancestor& client) const;

  /// Removes what ended servers and clients left.
  void sweep() const;

  static constexpr std::size_t kMaxKept = 64;
  static constexpr std::size_t kMaxKeptBytes = std::size_t{8} << 20U;

 private:
  ChannelFolder(std::filesystem::path path, Descriptor folder)
      : path_(std::move(path)), folder_(std::move(folder)) {}

  std::filesystem::path path_;
  Descriptor folder_;
};

}  // namespace agentlock::tools
