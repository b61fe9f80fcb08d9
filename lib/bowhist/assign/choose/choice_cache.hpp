#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace bowhist {

/// The conditions of a measurement; if any of them differs, another level may be the fastest.
struct ChoiceKey {
    std::string version;    ///< of bowhist
    std::string host;       ///< its processor and threads
    std::string device;     ///< empty where no device was considered
    std::string driver;     ///< the device's
    std::string candidates; ///< the levels that took part
    std::size_t dimensions = 0;
    std::size_t k = 0;

    bool operator==(const ChoiceKey &) const = default;
};

/// A level that was the fastest of its candidates.
struct RememberedChoice {
    std::string level;
    double gigaflops = 0; ///< 2·D·k operations a descriptor over the wall time, transfers included
    std::string date;     ///< "2026-11-20"
    bool was_busy = false; ///< others used the processors during the measurement
};

/// Earlier measurements, in the file auto.json of a folder. A file that cannot be read counts as
/// empty, and entries that bowhist would not write are ignored. Programs that write at the same
/// time may lose an entry, never the file.
class ChoiceCache {
  public:
    /// @param folder created with the first choice; empty: no choice is remembered
    explicit ChoiceCache(const std::filesystem::path &folder);

    std::optional<RememberedChoice> find(const ChoiceKey &key) const;

    /// Replaces the choice of that key, and the whole file.
    /// @return why the file could not be written; nothing when it was
    std::optional<std::string> remember(const ChoiceKey &key, const RememberedChoice &choice) const;

  private:
    std::filesystem::path file_; ///< empty: no choice is remembered
};

} // namespace bowhist
