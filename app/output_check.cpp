#include "app/output_check.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/tables/descriptor_file.hpp>
#include <bowhist/tables/sidecar.hpp>

#include <fmt/format.h>
#include <sys/stat.h>

#include <map>
#include <set>
#include <system_error>

namespace bowhist::app {
namespace {

namespace fs = std::filesystem;

/// Files that are there, by their identity: device and inode.
class Outputs {
  public:
    explicit Outputs(const Paths &paths) {
        std::set<fs::path> new_ones;
        std::error_code unknown; // then opening it tells the reason
        for (const fs::path &path : paths) {
            if (path.empty()) continue;
            const bool is_there = ::stat(path.c_str(), &file_) == 0;
            const bool is_first =
                is_there ? there_.try_emplace({file_.st_dev, file_.st_ino}, path).second
                         : new_ones.insert(fs::absolute(path, unknown).lexically_normal()).second;
            if (!is_first && (!is_there || S_ISREG(file_.st_mode)))
                throw Error(Fault::usage, fmt::format("{}: is written twice; name another file",
                                                      printable(path)));
        }
    }

    void check(const fs::path &input) {
        if (there_.empty() || ::stat(input.c_str(), &file_) != 0) return;
        const auto found = there_.find({file_.st_dev, file_.st_ino});
        if (found == there_.end()) return;
        throw Error(Fault::usage,
                    fmt::format("{} would replace {}, which is an input; name another file",
                                printable(found->second), printable(input)));
    }

  private:
    struct stat file_ {};
    std::map<std::pair<dev_t, ino_t>, fs::path> there_;
};

} // namespace

void check_outputs(const Paths &outputs, const InputList &inputs) {
    Outputs there(outputs);
    for (const Input &input : inputs.inputs) {
        there.check(input.path);
        if (is_descriptor_file(input.path)) there.check(sidecar_path(input.path));
    }
}

void check_outputs(const Paths &outputs, const fs::path &input) {
    Outputs there(outputs);
    there.check(input);
    there.check(sidecar_path(input));
}

} // namespace bowhist::app
