#pragma once

#include <bowhist/assign/choose/calibration.hpp>
#include <bowhist/assign/level.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace bowhist {

/// The level, device and options that a user requests.
struct LevelRequest {
    std::string level = "auto"; ///< a level's id, or "auto": the fastest, by measurement
    std::string device =
        {}; ///< a number, part of a name, "cpu", "gpu"; "all" or a list with commas:
            ///< they share the work; empty: the first GPU, else the first device
    bool prefers_gpu = false; ///< auto takes a GPU's levels alone where one can be opened: images
                              ///< are extracted there, too
    /// For auto: about how long the work takes on the host. No GPU is opened for less than its own
    /// start takes. Without a value the work counts as long.
    std::optional<double> host_seconds = {};
    std::filesystem::path kernel_dir = {}; ///< .cl files in place of the built-in ones
    AssignOptions options = {};
    std::filesystem::path cache_dir = {}; ///< where auto remembers what it measured; empty:
                                          ///< bowhist's folder in the user's cache
};

/// A level on its device, ready to be prepared for any number of vocabularies of one shape.
struct LevelChoice {
    const Level *level = nullptr;              ///< a row of levels(), or descending_level()
    std::shared_ptr<Device> first_device = {}; ///< null for host levels
    AssignOptions options = {};
    std::vector<LevelChoice> others = {}; ///< on further devices, which share the work; each has a
                                          ///< level of its own

    /// The first device that works; null for host levels.
    std::shared_ptr<Device> device() const;
    /// The choice of each device that works, at least one, without others.
    std::vector<LevelChoice> each() const;

    /// An assigner that shares its batches among the devices (shared_assigner.hpp), or on the only
    /// one. A user's own kernels are first compared with the rule on a sample.
    /// @throws Error{Fault::device} that names the level, with the compiler's log as detail where a
    /// kernel does not build; or that kernels of a user's own give wrong words
    std::unique_ptr<Assigner> prepare(const Vocabulary &vocabulary) const;

    /// "gpu3 on NVIDIA H200" or "openmp on the host"; with "and" between several.
    std::string name() const;

  private:
    std::unique_ptr<Assigner> prepare_alone(const Vocabulary &vocabulary) const;
};

/// The level on that device, which a host level does without.
LevelChoice choice_of(const Level &level, const std::shared_ptr<Device> &device,
                      const AssignOptions &options = {});

/// Opens the device where one is needed and checks that the level can do D and k.
///
/// auto takes the candidate of survey_auto() that was the fastest when they were measured. Long
/// work measures them first, for about a second, if they were not measured or only on a busy
/// machine; other work then takes the last level that can be prepared. options.observer gets a
/// note. Each of several devices makes its own choice; one that lacks the level takes the next
/// lower one that it has, with a note. With options.tree it is descending_level(), whatever was
/// requested.
///
/// @throws Error{Fault::usage} for an unknown level; Error{Fault::device} when there is no such
///         device or the level cannot run there, saying what can
LevelChoice choose_level(const LevelRequest &request, std::size_t dimensions, std::size_t k);

/// Estimates how long the host's fastest level takes to assign `rows` rows to k words, from a few
/// drawn rows that it assigns in some milliseconds. Nothing where the request names a level.
std::optional<double> host_seconds(const LevelRequest &request, std::size_t dimensions,
                                   std::size_t k, double rows);

/// Whether auto may have to choose between the host and a GPU, which takes a while to start. A run
/// that does not know how much work there is should then begin on the host.
bool begins_on_host(const LevelRequest &request);

/// A level, and why it cannot run.
struct LevelStatus {
    const Level *level = nullptr;
    std::optional<std::string> obstacle; ///< nothing when it can run
    std::string source = {};             ///< the file of cl/ that was built; else Level::source
};

/// Every level's status on the requested device, in the order of the ladder. Builds the kernels.
/// Without any device, and without a request for one, the host levels can still run.
std::vector<LevelStatus> survey_levels(const LevelRequest &request, std::size_t dimensions,
                                       std::size_t k);

/// The choice of auto for a shape, as far as it is known without measuring.
struct AutoStatus {
    /// All levels that run on the requested device. Without a request: the host's, without the
    /// reference, and a GPU's if there is one.
    std::vector<const Level *> candidates;
    std::optional<LevelChoice> choice; ///< nothing until it is measured
    std::string measured;              ///< when, and how fast it was; empty for the only candidate
    bool was_busy = false;             ///< others used the processors when it was measured
};

AutoStatus survey_auto(const LevelRequest &request, std::size_t dimensions, std::size_t k);

/// Measures survey_auto()'s candidates anew, and remembers the fastest.
/// @return those left at the end (calibration.hpp), the one to take first
/// @throws as choose_level
std::vector<LevelSpeed> measure_auto(const LevelRequest &request, std::size_t dimensions,
                                     std::size_t k);

} // namespace bowhist
