#include <bowhist/io/scratch_folder.hpp>

#include <cstdlib>
#include <string>

namespace bowhist {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder(const fs::path &prefix) {
    if (prefix.empty()) return;
    std::string name = prefix.native() + "XXXXXX";
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
}

fs::path ScratchFolder::temporary(const char *name) {
    std::error_code error;
    const fs::path folder = fs::temp_directory_path(error);
    return error ? fs::path() : folder / name;
}

} // namespace bowhist
