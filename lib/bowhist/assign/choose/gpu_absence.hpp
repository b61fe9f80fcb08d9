#pragma once

#include <filesystem>
#include <vector>

namespace bowhist {

/// Where a new GPU or a new driver shows.
struct GpuTraces {
    std::vector<std::filesystem::path> nodes;   ///< folders of devices
    std::vector<std::filesystem::path> drivers; ///< folders of .icd files, and files

    static GpuTraces of_this_machine();
};

/// Remembers that no GPU was found here, by an empty file in a folder `no-gpu`. Only the drivers
/// know, and loading them takes as long as a picture or two does (PoCL: 40 ms).
///
/// What is remembered holds for an hour, and only while nothing changes that may bring a GPU: the
/// machine was not started anew; the nodes of devices and who may open them, the drivers, the
/// libraries and the environment are the same, but for the shell's own PWD, OLDPWD, SHLVL and _
/// (docs/adr/0012). For each such state there is a file.
class GpuAbsence {
  public:
    /// @param folder of the cache; empty: nothing is ever remembered
    explicit GpuAbsence(const std::filesystem::path &folder,
                        const GpuTraces &traces = GpuTraces::of_this_machine());

    /// Whether it was remembered, and still holds.
    bool is_known() const;

    /// A file that cannot be written is as good as none.
    void remember() const;

    /// For every state: a GPU was found.
    void forget() const;

  private:
    std::filesystem::path folder_; ///< empty: none
    std::filesystem::path file_;   ///< named by a checksum of the state
};

} // namespace bowhist
