#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bowhist {

/// Where a new GPU or a new driver shows.
struct GpuTraces {
    std::vector<std::filesystem::path> nodes;   ///< folders of devices
    std::vector<std::filesystem::path> drivers; ///< folders that list them, and files

    static GpuTraces of_this_machine();
};

/// Remembers, in one file of a folder, that no GPU was found here: `no-gpu`. Only the drivers know,
/// and loading them takes as long as a picture or two does (PoCL: 40 ms).
///
/// What is remembered holds for an hour, and only while nothing changes that may bring a GPU: the
/// nodes of devices and who may open them, the list of drivers, the libraries, and the environment
/// but for the shell's own PWD, OLDPWD, SHLVL and _ (docs/adr/0036).
class GpuAbsence {
  public:
    /// @param folder made when an absence is first remembered; empty: none ever is
    explicit GpuAbsence(const std::filesystem::path &folder,
                        const GpuTraces &traces = GpuTraces::of_this_machine());

    /// Whether it was remembered, and still holds.
    bool is_known() const;

    /// A file that cannot be written is as good as none.
    void remember() const;

  private:
    std::filesystem::path file_; ///< empty: none
    std::string fingerprint_;    ///< of the traces and the environment
};

} // namespace bowhist
