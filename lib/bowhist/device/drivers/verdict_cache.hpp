#pragma once

#include <bowhist/device/drivers/sift.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace bowhist {

/// Remembers reports by that state, a file each, in a folder `drivers`. A report without a bad
/// driver holds for a day, another one for ten minutes, and none longer than the machine runs.
class VerdictCache {
  public:
    /// @param folder of the cache; empty: nothing is ever remembered
    VerdictCache(const std::filesystem::path &folder, const std::string &state);

    /// @param drivers  that the report must speak of, all of them
    std::optional<DriverReport> find(const std::vector<Driver> &drivers) const;
    /// A file that cannot be written is as good as none.
    void remember(const DriverReport &report) const;

  private:
    std::filesystem::path file_; ///< empty: none
};

} // namespace bowhist
