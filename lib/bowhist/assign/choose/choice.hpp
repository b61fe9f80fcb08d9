#pragma once

#include <bowhist/assign/choose/calibration.hpp>
#include <bowhist/assign/level.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace bowhist {

/// What the user asks for.
struct LevelRequest {
    std::string level = "auto"; ///< a level's id, or "auto": the fastest, by measurement
    std::string device = {}; ///< a number, part of a name, "cpu", "gpu"; empty: the first GPU, else
                             ///< the first device
    bool prefers_gpu = false; ///< auto keeps to a GPU's levels where one can be opened: pictures
                              ///< are extracted there, too
    /// auto: what the work takes on the host, about. A GPU is not opened for less than it takes to
    /// start. Nothing: unknown, taken for long.
    std::optional<double> host_seconds = {};
    std::filesystem::path kernel_dir = {}; ///< .cl files that stand in for the built-in ones
    AssignOptions options = {};
    std::filesystem::path cache_dir = {}; ///< where auto remembers what it measured; empty:
                                          ///< bowhist's folder in the user's cache
};

/// A level on a device, ready to be prepared for any number of vocabularies of one shape.
struct LevelChoice {
    const Level *level = nullptr;
    std::shared_ptr<Device> device; ///< null for host levels
    AssignOptions options;

    /// Kernels of a user's own are compared with the rule on a sample first (own_kernels.hpp).
    /// @throws Error{Fault::device} that names the level, with the compiler's log as detail where a
    /// kernel does not build; or that kernels of a user's own give wrong words
    std::unique_ptr<Assigner> prepare(const Vocabulary &vocabulary) const;

    /// "gpu3 on NVIDIA H200" or "openmp on the host".
    std::string name() const;
};

/// Opens the device where one is needed and checks that the level can do D and k.
///
/// auto: of survey_auto()'s candidates the one that was the fastest when they were measured. Where
/// they were not yet, or on a busy machine, long work measures them first, for about a second;
/// other work takes the last one of the ladder that can be prepared. The choice is noted to
/// options.observer.
/// @throws Error{Fault::usage} for an unknown level; Error{Fault::device} when there is no such
///         device or the level cannot run there, saying what can
LevelChoice choose_level(const LevelRequest &request, std::size_t dimensions, std::size_t k);

/// Whether auto may have to choose between the host and a GPU, which takes a while to start: a run
/// that does not know how much work there is had better begin on the host.
bool begins_on_host(const LevelRequest &request);

/// A level, and why it cannot run; nothing when it can.
struct LevelStatus {
    const Level *level = nullptr;
    std::optional<std::string> obstacle;
    std::string source = {}; ///< the file of cl/ that was built here; Level::source where none was
};

/// Every level's status on the device asked for, in the order of the ladder; kernels are built to
/// tell. Without any device,
/// and with none asked for, the host levels can still run.
std::vector<LevelStatus> survey_levels(const LevelRequest &request, std::size_t dimensions,
                                       std::size_t k);

/// What auto takes for a shape, as far as that is known without measuring.
struct AutoStatus {
    /// All levels that run on the device asked for. When none was asked for: the host's, without
    /// the reference, and a GPU's if there is one.
    std::vector<const Level *> candidates;
    std::optional<LevelChoice> choice; ///< none: not measured yet
    std::string measured;              ///< when, and how fast it was; empty: there is no other
    bool was_busy = false;             ///< others used the processors when it was measured
};

AutoStatus survey_auto(const LevelRequest &request, std::size_t dimensions, std::size_t k);

/// Measures survey_auto()'s candidates, whatever was measured before, and remembers the fastest.
/// @return those that were left at the end (calibration.hpp), the one to take first
/// @throws as choose_level
std::vector<LevelSpeed> measure_auto(const LevelRequest &request, std::size_t dimensions,
                                     std::size_t k);

} // namespace bowhist
