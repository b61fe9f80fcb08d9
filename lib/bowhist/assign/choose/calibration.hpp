#pragma once

#include <bowhist/assign/level.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace bowhist {

/// Levels to be compared on one shape.
struct CalibrationTask {
    std::vector<const Level *> candidates; ///< without an obstacle there
    std::shared_ptr<Device> device;        ///< null where all of them are the host's
    std::size_t dimensions = 0;
    std::size_t k = 0;
    AssignOptions options;
};

/// How fast a level was.
struct LevelSpeed {
    const Level *level = nullptr;
    double gigaflops = 0; ///< 2·D·k operations a descriptor over the wall time
};

/// Times the candidates on drawn descriptors with clusters and near ties: the whole wall time with
/// the transfers, since that is what a user waits for. All get few rows first; the ones that are
/// not hopeless then get more, as long as no round would pass 1.5 s altogether, beside the time to
/// build the kernels.
///
/// Where the transfers hide what the device does, levels can hardly be told apart: of those within
/// a tenth of the fastest, the one that keeps the device busy for less is taken.
///
/// A level that fails (its kernel does not build, memory does not suffice) is passed over with a
/// note.
/// @return those that were left at the end, the one to take first; never empty
/// @throws the last one's Error where every level fails; Error{Fault::interrupted}
std::vector<LevelSpeed> calibrate(const CalibrationTask &task);

} // namespace bowhist
