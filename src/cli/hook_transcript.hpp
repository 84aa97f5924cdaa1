#pragma once

#include <filesystem>
#include <string_view>

namespace agentlock::cli {

enum class Author {
  kNotTheModel,  ///< nothing shows that the model wrote it
  kModel,        ///< the model gave it to a tool that says it later, as if a person did
  kUnknown,      ///< there is no record of the session, or it can't be read
};

/// Who wrote a prompt, by the client's record of the session and by the tasks that were
/// scheduled in the folder it works in. Claude Code's CronCreate and ScheduleWakeup tools
/// take a prompt of the model's and later submit it word for word.
Author author_of(std::string_view prompt, const std::filesystem::path& transcript,
                 const std::filesystem::path& folder);

}  // namespace agentlock::cli
