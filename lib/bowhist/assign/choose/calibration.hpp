#pragma once

#include <bowhist/assign/level.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace bowhist {

/// Levels to compare on one shape.
struct CalibrationTask {
    std::vector<const Level *> candidates; ///< without an obstacle on the device
    std::shared_ptr<Device> device;        ///< null where all run on the host
    std::size_t dimensions = 0;
    std::size_t k = 0;
    AssignOptions options;
};

/// How fast a level was.
struct LevelSpeed {
    const Level *level = nullptr;
    double gigaflops = 0; ///< 2·D·k operations a descriptor over the wall time
};

/// Times the candidates on drawn descriptors with clusters and near ties: the wall time with the
/// transfers, since a user waits for those, too. All get few rows first. Those that are not
/// hopeless then get more, until another round would exceed 1.5 s in all, without kernel builds.
///
/// Where transfers hide the work of the device, levels hardly differ: of those within a tenth of
/// the fastest, the one that keeps the device busy for the shortest time is taken.
///
/// A level that fails (its kernel does not build, memory does not suffice) is left out with a note.
/// @return those left at the end, the one to take first; never empty
/// @throws the last one's Error where every level fails; Error{Fault::interrupted}
std::vector<LevelSpeed> calibrate(const CalibrationTask &task);

} // namespace bowhist
