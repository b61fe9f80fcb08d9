#include <bowhist/team/mpi/messages.hpp>

#include <algorithm>
#include <cstdint>
#include <thread>

namespace bowhist {

bool wait(MPI_Request &request, std::optional<std::chrono::seconds> at_most) {
    using namespace std::chrono_literals;
    // A start exchanges small sums, for which it waits some microseconds. One that is later has
    // lost its core to another program; to poll for it would use up this one's share of the cores.
    constexpr auto soon = 200us;
    const auto begin = std::chrono::steady_clock::now();
    while (true) {
        int is_done = 0;
        MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
        if (is_done != 0) return true;
        const auto waited = std::chrono::steady_clock::now() - begin;
        if (at_most && waited > *at_most) return false;
        if (waited < soon)
            std::this_thread::yield();
        else
            std::this_thread::sleep_for(100us);
    }
}

void broadcast(MPI_Comm team, int root, std::string &bytes) {
    MPI_Request request = MPI_REQUEST_NULL;
    std::uint64_t size = bytes.size();
    MPI_Ibcast(&size, 1, MPI_UINT64_T, root, team, &request);
    wait(request);
    bytes.resize(size);
    for (std::size_t first = 0; first < bytes.size(); first += piece_bytes) {
        const std::size_t count = std::min(piece_bytes, bytes.size() - first);
        MPI_Ibcast(bytes.data() + first, static_cast<int>(count), MPI_BYTE, root, team, &request);
        wait(request);
    }
}

void send(MPI_Comm team, int to, std::string_view bytes) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, 0, team, &request);
    wait(request);
}

std::string receive(MPI_Comm team, int from) {
    int is_there = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status = {};
    for (int polls = 0; is_there == 0; ++polls) {
        MPI_Improbe(from, 0, team, &is_there, &message, &status);
        if (is_there == 0 && polls > 1000)
            std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    int count = 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    std::string bytes(static_cast<std::size_t>(count), '\0');
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Imrecv(bytes.data(), count, MPI_BYTE, &message, &request);
    wait(request);
    return bytes;
}

} // namespace bowhist
