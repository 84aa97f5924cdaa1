#include "support/scratch_folder.hpp"

#include <cstdlib>
#include <stdexcept>
#include <system_error>

namespace agentlock::test {

ScratchFolder::ScratchFolder() {
  std::string name = std::filesystem::temp_directory_path() / "agentlock-test-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch folder");
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace agentlock::test
