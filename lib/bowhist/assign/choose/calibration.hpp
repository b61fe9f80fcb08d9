#pragma once

#include <bowhist/assign/level.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace bowhist {

/// The share of the processors that other processes use, since its construction.
class OtherLoad {
  public:
    OtherLoad() : start_(now()) {}

    /// From 0 to 1; 0 where the system does not report it. Each processor counts in steps of 10 ms.
    double share() const;

  private:
    /// In ticks, since the machine's start.
    struct Ticks {
        double all = 0;
        double busy = 0; ///< of all processes
        double own = 0;  ///< of this one
    };
    static Ticks now();

    Ticks start_;
};

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
/// transfers, since a user waits for those, too. All get few rows first. Levels that are not
/// hopeless then get more, until another round would exceed 1.5 s in all, without kernel builds.
///
/// Levels hardly differ where transfers hide the work of the device. So the first of the result is
/// the level, among those within a tenth of the fastest, that keeps the device busy for the
/// shortest time.
///
/// A level that fails (its kernel does not build, memory does not suffice) is left out with a note.
/// @return the levels left at the end, the one to take first; never empty
/// @throws the last one's Error where every level fails; Error{Fault::interrupted}
std::vector<LevelSpeed> calibrate(const CalibrationTask &task);

} // namespace bowhist
