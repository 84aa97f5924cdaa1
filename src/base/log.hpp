#pragma once

#include <string>
#include <string_view>

namespace agentlock::log {

enum class Level { kTrace, kDebug, kInfo, kWarning, kError, kOff };

/// Diagnostics for the operator, on stderr: stdout belongs to MCP. Control
/// characters are escaped, and a stderr that nobody reads never blocks: lines
/// that don't fit its pipe are dropped and counted.
void set_level(Level level);

/// The level that a name of AGENTLOCK_BROWSER_LOG_LEVEL stands for; kWarning for
/// an unknown one.
Level level_of(std::string_view name);

void write(Level level, std::string_view message);

inline void debug(std::string_view message) { write(Level::kDebug, message); }
inline void info(std::string_view message) { write(Level::kInfo, message); }
inline void warning(std::string_view message) { write(Level::kWarning, message); }
inline void error(std::string_view message) { write(Level::kError, message); }

}  // namespace agentlock::log
