#pragma once

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/assign/choose/choice_cache.hpp>

#include <memory>
#include <vector>

namespace bowhist {

/// The levels that auto chooses among.
struct Candidates {
    std::shared_ptr<Device> device;    ///< null where no device is considered
    std::vector<const Level *> levels; ///< in the order of the ladder; never empty
};

/// Opens the requested device. @throws Error{Fault::device}
std::shared_ptr<Device> open_device(const LevelRequest &request);

/// The host's levels, and those of the requested device, else of a GPU if one can be opened. Only
/// the device's, if it is requested or preferred and one of them can do the shape.
/// @param ask  loads the drivers even where they can show no GPU
/// @throws Error{Fault::device} where a device that was asked for cannot be opened
Candidates find_candidates(const LevelRequest &request, std::size_t dimensions, std::size_t k,
                           bool ask);

/// The host's alone, without loading a driver.
Candidates host_candidates(std::size_t dimensions, std::size_t k);

/// The processor and the threads that are used.
std::string host_of(const LevelRequest &request);

/// The choices that auto remembers; none for kernels that a user edits.
ChoiceCache cache_of(const LevelRequest &request);

/// choose_level() where the request's level is auto.
LevelChoice choose_auto(const LevelRequest &request, std::size_t dimensions, std::size_t k);

/// choose_level() where the request names several devices: the choice of each. A device without the
/// level takes the next lower one that it has; one without any leaves, with a warning.
LevelChoice choose_on_each(const LevelRequest &request, std::size_t dimensions, std::size_t k);

} // namespace bowhist
