#include <bowhist/pipeline/output_check.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/temporary_file.hpp>
#include <bowhist/tables/descriptors/descriptor_file.hpp>
#include <bowhist/tables/formats/sidecar.hpp>

#include <fmt/format.h>
#include <sys/stat.h>

#include <map>
#include <set>
#include <system_error>

namespace bowhist {
namespace {

namespace fs = std::filesystem;

/// The places where files are written, however their paths are spelled.
class Destinations {
  public:
    std::string of(const fs::path &path) {
        const fs::path end = where_it_leads(path);
        if (const fs::path folder = end.parent_path(); folder != folder_ || resolved_.empty()) {
            std::error_code unknown; // opening it reports the reason
            resolved_ = fs::weakly_canonical(folder.empty() ? "." : folder, unknown);
            if (unknown) resolved_ = folder;
            folder_ = folder;
        }
        return (resolved_ / end.filename()).native();
    }

  private:
    fs::path folder_; ///< the latest: names of one folder follow each other
    fs::path resolved_;
};

/// The output files: no two at one place. Existing ones are known by their identity, too: device
/// and inode.
class Outputs {
  public:
    explicit Outputs(const Paths &paths) {
        Destinations destinations;
        std::set<std::string> seen;
        for (const fs::path &path : paths) {
            if (path.empty()) continue;
            const bool is_there = ::stat(path.c_str(), &file_) == 0;
            if (is_there) there_.try_emplace({file_.st_dev, file_.st_ino}, path);
            if (is_there && !S_ISREG(file_.st_mode)) continue; // /dev/null takes any number
            if (!seen.insert(destinations.of(path)).second)
                throw Error(Fault::usage,
                            fmt::format("{}: is written twice; name another file", path));
        }
    }

    void check(const fs::path &input) {
        if (there_.empty() || ::stat(input.c_str(), &file_) != 0) return;
        const auto found = there_.find({file_.st_dev, file_.st_ino});
        if (found == there_.end()) return;
        throw Error(Fault::usage,
                    fmt::format("{} would replace {}, which is an input; name another file",
                                found->second, input));
    }

  private:
    struct stat file_ {};
    std::map<std::pair<dev_t, ino_t>, fs::path> there_;
};

} // namespace

void check_outputs(const Paths &outputs, const Paths &read, const InputList &list) {
    Outputs there(outputs);
    for (const fs::path &file : read) {
        if (file.empty()) continue;
        there.check(file);
        there.check(sidecar_path(file));
    }
    for (const Input &input : list.inputs) {
        there.check(input.path);
        if (is_descriptor_file(input.path)) there.check(sidecar_path(input.path));
    }
}

} // namespace bowhist
