#pragma once

#include <mpi.h>
#include <sys/types.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace bowhist {

/// Bytes that one MPI call takes at most: its counts are ints.
inline constexpr std::size_t piece_bytes = std::size_t{1} << 22;

/// Waits for a request without holding a core for long. @return false where it takes longer
bool wait(MPI_Request &request, std::optional<std::chrono::seconds> at_most = std::nullopt);

/// Each element becomes the result of all members' elements, piece by piece.
/// @param ready  called before elements are sent, with their range
template <typename Value, typename Ready>
void reduce_all(MPI_Comm team, std::span<Value> values, MPI_Datatype type, MPI_Op operation,
                const Ready &ready) {
    constexpr std::size_t piece = piece_bytes / sizeof(Value);
    MPI_Request before = MPI_REQUEST_NULL;
    for (std::size_t first = 0; first < values.size(); first += piece) {
        const auto some = values.subspan(first, std::min(piece, values.size() - first));
        ready(first, first + some.size());
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Iallreduce(MPI_IN_PLACE, some.data(), static_cast<int>(some.size()), type, operation,
                       team, &request);
        wait(before);
        before = request;
    }
    wait(before);
}

/// Each member gets the root's bytes.
void broadcast(MPI_Comm team, int root, std::string &bytes);

void send(MPI_Comm team, int to, std::string_view bytes);
std::string receive(MPI_Comm team, int from);

/// The values that members have in common once they have met.
struct Meeting {
    static constexpr std::size_t room = 480; ///< below the 4 KiB that Open MPI sends at once

    std::int32_t lowest; ///< minus the lowest rank without a result; minus all ranks: each has one
    std::int32_t works;  ///< 1: some have a result
    std::array<std::uint64_t, room> sums{}; ///< of few numbers, which need no call of their own
};

/// Joins those of two members, as MPI calls it (MPI_User_function).
void join_meetings(void *some, void *all, int *count, MPI_Datatype *type);

/// Watches other processes of this machine, on a thread of its own, until one ends.
class PeerWatch {
  public:
    /// @param peers  processes; 0 for those that are not watched
    /// @param gone  called once with the place of one that has ended; does not return
    PeerWatch(const std::vector<pid_t> &peers, std::function<void(std::size_t peer)> gone);
    /// Ends the watch.
    ~PeerWatch();
    PeerWatch(const PeerWatch &) = delete;
    PeerWatch &operator=(const PeerWatch &) = delete;

  private:
    int stop_;
    std::jthread thread_;
};

} // namespace bowhist
