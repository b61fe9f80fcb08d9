#pragma once

#include <cstdint>

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

} // namespace bowhist
