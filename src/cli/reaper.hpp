#pragma once

namespace agentlock::cli {

/// The hidden command `reaper`: see browser/reaper.hpp. argv[0] is the program,
/// argv[1] the command.
int reaper_main(int argc, char** argv);

}  // namespace agentlock::cli
