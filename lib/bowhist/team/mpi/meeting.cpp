#include <bowhist/team/mpi/meeting.hpp>

#include <algorithm>
#include <functional>

namespace bowhist {

void join_meetings(void *some, void *all, int *count, MPI_Datatype * /*type*/) {
    for (int i = 0; i < *count; ++i) {
        const Meeting &one = static_cast<const Meeting *>(some)[i];
        Meeting &joined = static_cast<Meeting *>(all)[i];
        joined.lowest = std::max(joined.lowest, one.lowest);
        joined.works = std::max(joined.works, one.works);
        std::ranges::transform(joined.sums, one.sums, joined.sums.begin(), std::plus());
    }
}

} // namespace bowhist
