#pragma once

#include <bowhist/assign/choose/synthetic.hpp>
#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/core/vocabulary.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

class Device;

/// The operations that are to be measured, and with what.
struct BenchRequest {
    std::vector<std::string> operations = {}; ///< ids of operations(); empty: all
    std::vector<std::string> levels = {};     ///< ids of levels(); empty: the operation's own
    std::size_t n = 0;                        ///< 0: chosen by the device and the time of a round
    std::vector<std::size_t> k = {256};       ///< the textbook's size
    std::size_t dimensions = 64;              ///< of synthetic data
    std::vector<std::size_t> local_sizes; ///< work-items a group, each tried; empty: a level's own
    std::size_t side = 0;           ///< of square images, pixels; 0: chosen by the operation and n
    std::vector<std::size_t> tiles; ///< sides of the convolutions' square tiles, each tried; empty:
                                    ///< the device's own
    std::size_t rounds = 7;         ///< odd, so that one is the median; five show a spread
    int threads = 0;                ///< of the host; 0: all cores
    std::string device = {};        ///< as in LevelRequest
    std::filesystem::path kernel_dir = {}; ///< as in LevelRequest
    SyntheticData synthetic = {};
    Descriptors data = {};      ///< real descriptors in place of synthetic ones
    Vocabulary vocabulary = {}; ///< real words, whose number replaces k

    bool wants(std::string_view level, bool by_default) const {
        return levels.empty() ? by_default : std::ranges::find(levels, level) != levels.end();
    }
};

/// Everything that an operation's cases are made from. The observer outlives the cases.
struct Scene {
    const BenchRequest &request;
    std::shared_ptr<Device> device; ///< may be null
    Observer &observer;
    std::size_t k = 0; ///< words; 0 for operations without words

    /// Descriptors (or rows) to measure with: as requested, else enough to fill the device.
    std::size_t most_rows() const;

    /// Without a requested n, a row that is slower gets fewer descriptors, which its n shows.
    static constexpr double round_seconds = 0.4;
};

} // namespace bowhist
