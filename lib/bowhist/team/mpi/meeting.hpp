#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace bowhist {

/// The values that members have in common once they have met.
struct Meeting {
    static constexpr std::size_t room = 480; ///< below the 4 KiB that Open MPI sends at once

    std::int32_t lowest; ///< minus the lowest rank without a result; minus all ranks: each has one
    std::int32_t works;  ///< 1: some have a result
    std::array<std::uint64_t, room> sums{}; ///< of few numbers, which need no call of their own
};

/// Joins those of two members, as MPI calls it (MPI_User_function).
void join_meetings(void *some, void *all, int *count, MPI_Datatype *type);

} // namespace bowhist
