#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace bowhist {

/// What a measurement holds for: with any of it different, another level may be the fastest.
struct ChoiceKey {
    std::string version;    ///< of bowhist
    std::string host;       ///< its processor and threads
    std::string device;     ///< empty: none was looked at
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
    bool was_busy = false; ///< others used the processors meanwhile
};

/// What was measured before, in one file of a folder: auto.json. A file that cannot be
/// read is as good as none, and so is each entry that is not as we write them; programs that write
/// at the same time may lose an entry, never the file.
class ChoiceCache {
  public:
    /// @param folder made when the first choice is remembered; empty: nothing is ever remembered
    explicit ChoiceCache(const std::filesystem::path &folder);

    std::optional<RememberedChoice> find(const ChoiceKey &key) const;

    /// In place of what was known for that key. The file is replaced as a whole.
    /// @return why it could not be written; nothing when it was
    std::optional<std::string> remember(const ChoiceKey &key, const RememberedChoice &choice) const;

  private:
    std::filesystem::path file_; ///< empty: none
};

} // namespace bowhist
