#pragma once

#include <mpi.h>

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>

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

} // namespace bowhist
