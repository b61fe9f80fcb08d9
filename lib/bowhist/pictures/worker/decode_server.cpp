#include <bowhist/pictures/worker/decode_server.hpp>

#include <bowhist/io/installed_helper.hpp>
#include <bowhist/io/spawn_attributes.hpp>
#include <bowhist/pictures/worker/messages.hpp>

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <string>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bowhist {
namespace {

constexpr int socket_of_server = 3; ///< the descriptor under which it finds its end

/// A process of its own group, so that Ctrl-C reaches the program alone; without our signal masks
/// and handlers, files and streams. 0, or an errno.
int spawn(pid_t &process, const std::filesystem::path &program, int socket) {
    const SpawnAttributes attributes;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, socket, socket_of_server);
    std::string name = program.filename().native();
    char *arguments[] = {name.data(), nullptr};
    const int failure =
        posix_spawn(&process, program.c_str(), &actions, attributes.get(), arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

/// The second one lies above the descriptors that spawn() sets: a host program may have closed
/// those.
std::array<int, 2> socket_pair() {
    std::array<int, 2> ends = {};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw WorkerUnavailable(std::strerror(errno));
    const int higher = fcntl(ends[1], F_DUPFD_CLOEXEC, socket_of_server + 1);
    const int reason = errno;
    close(ends[1]);
    if (higher >= 0) return {ends[0], higher};
    close(ends[0]);
    throw WorkerUnavailable(std::strerror(reason));
}

} // namespace

WorkerUnavailable::WorkerUnavailable(const std::string &why)
    : std::runtime_error(fmt::format("cannot be decoded in a process of its own ({}); free some, "
                                     "or use --isolate never",
                                     why)) {}

DecodeServer::DecodeServer() {
    const auto program = installed_helper("bowhist-decode");
    const auto [ours, its] = socket_pair();
    const int failure = spawn(process_, program, its);
    close(its);
    if (failure != 0) {
        close(ours);
        throw WorkerUnavailable(std::strerror(failure));
    }
    socket_ = ours;
}

DecodeServer::~DecodeServer() {
    if (getpid() == owner_ && !is_gone()) end();
    close(socket_);
}

/// An idle one leaves at once, and its CPU time counts as ours.
void DecodeServer::end() {
    constexpr int patience = 200;
    shutdown(socket_, SHUT_RDWR); // a forked process may hold the socket, too
    for (int i = 0; i < patience; ++i) {
        if (waitpid(process_, nullptr, WNOHANG) != 0) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    kill(-process_, SIGKILL); // the whole group
    waitpid(process_, nullptr, 0);
}

bool DecodeServer::is_gone() {
    pollfd its_end = {socket_, 0, 0};
    const bool has_hung_up = poll(&its_end, 1, 0) > 0;
    if (process_ == 0 || !has_hung_up) return process_ == 0;
    waitpid(process_, nullptr, 0);
    process_ = 0;
    return true;
}

int DecodeServer::start_worker() {
    const auto [ours, its] = socket_pair();
    const bool is_sent = send_message(socket_, StartRequest{}, its);
    close(its);
    if (is_sent) return ours;
    close(ours);
    throw WorkerUnavailable("bowhist-decode is gone");
}

} // namespace bowhist
