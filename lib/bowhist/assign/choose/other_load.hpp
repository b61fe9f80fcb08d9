#pragma once

#include <cstdint>

namespace bowhist {

/// Watches how much of the machine's processors others use, from its construction on.
class OtherLoad {
  public:
    OtherLoad() : start_(now()) {}

    /// From 0 to 1; 0 where the system does not say. Each processor counts in steps of 10 ms.
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
