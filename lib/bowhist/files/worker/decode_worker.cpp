#include <bowhist/files/worker/decode_worker.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/files/installed_helper.hpp>
#include <bowhist/files/worker/messages.hpp>
#include <bowhist/files/worker/serve.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace bowhist {
namespace {

constexpr int socket_of_worker = 3; ///< the descriptor under which a worker finds its end

/// A process of its own group, so that Ctrl-C reaches the program alone; without our signal masks
/// and handlers, files and streams.
int spawn(pid_t &process, const std::filesystem::path &program, int socket) {
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_init(&actions);
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                              POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, socket, socket_of_worker);
    std::string name = program.filename().native();
    char *arguments[] = {name.data(), nullptr};
    const int failure =
        posix_spawn(&process, program.c_str(), &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return failure;
}

/// A worker that went astray may answer anything.
Raster picture_of(const DecodeReply &reply, Colour colour, std::span<const char> room) {
    Raster picture{reply.width, reply.height, colour, {}};
    const bool fits = reply.width > 0 && reply.height > 0 &&
                      picture.row_samples() <= room.size() / static_cast<std::size_t>(reply.height);
    if (!fits) throw Error(Fault::input, "damaged, its decoder answers nonsense");
    const auto samples = room.first(picture.row_samples() * static_cast<std::size_t>(reply.height));
    picture.samples.assign(samples.begin(), samples.end());
    return picture;
}

DecodeWorker::Unavailable unavailable(std::string_view why) {
    return DecodeWorker::Unavailable(fmt::format("cannot be decoded in a process of its own ({}); "
                                                 "free some, or use --isolate never",
                                                 why));
}

} // namespace

DecodeWorker::DecodeWorker() {
    const auto program = installed_helper("bowhist-decode");
    int ends[2];
    int failure = socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0 ? 0 : errno;
    if (failure == 0) {
        failure = spawn(process_, program, ends[1]);
        close(ends[1]);
        if (failure != 0) close(ends[0]);
    }
    if (failure != 0) throw unavailable(std::strerror(failure));
    socket_ = ends[0];
}

DecodeWorker::~DecodeWorker() {
    close(socket_); // an idle one leaves by itself
    if (process_ == 0) return;
    if (is_busy_) kill(-process_, SIGKILL); // the process and its child
    waitpid(process_, nullptr, 0);
}

DecodedPicture DecodeWorker::decode(const EncodedPicture &file, Colour colour, int side,
                                    const DecodeBounds &bounds, const Observer *observer) {
    DecodeRequest request;
    request.file_bytes = file.bytes.size();
    request.sample_bytes = most_pixels_left(file.header, side) * static_cast<std::uint64_t>(colour);
    request.memory_bytes = bounds.memory_bytes + request.file_bytes + request.sample_bytes;
    request.cpu_milliseconds = bounds.cpu_milliseconds;
    request.colour = colour;
    request.side = side;
    request.needs_codecs = file.header.decoder != Decoder::libjpeg;
    const int descriptor = share(request.file_bytes + request.sample_bytes);
    const auto memory = memory_->bytes();
    request.shared_bytes = memory.size();
    std::copy(file.bytes.begin(), file.bytes.end(), memory.begin());
    if (!send(socket_, request, descriptor)) report_death(bounds);
    is_busy_ = true;
    wait_for_reply(bounds, observer);
    const auto reply = receive_reply(socket_);
    is_busy_ = false;
    if (!reply) report_death(bounds);
    if (reply->outcome == DecodeReply::Outcome::decoded) {
        ++decoded_;
        Raster picture = picture_of(*reply, colour, memory.subspan(request.file_bytes));
        if (memory.size() > most_kept_bytes) memory_.reset();
        return {std::move(picture), reply->text.data()};
    }
    decoded_ = 0;
    memory_.reset(); // the next process has none
    if (reply->outcome == DecodeReply::Outcome::no_memory) throw std::bad_alloc();
    throw Error(Fault::input, reply->text.data());
}

int DecodeWorker::share(std::uint64_t bytes) {
    if (memory_ && memory_->bytes().size() >= bytes) return no_descriptor;
    memory_.reset();
    try {
        memory_.emplace(std::bit_ceil(bytes));
    } catch (const std::system_error &error) {
        throw unavailable(error.what());
    }
    return memory_->descriptor();
}

void DecodeWorker::wait_for_reply(const DecodeBounds &bounds, const Observer *observer) const {
    using Clock = std::chrono::steady_clock;
    constexpr int asked_every_milliseconds = 100;
    constexpr int share_of_a_busy_machine = 30; // a decoder that waits uses up no CPU time
    const auto end =
        Clock::now() + share_of_a_busy_machine * std::chrono::milliseconds(bounds.cpu_milliseconds);
    pollfd answer = {socket_, POLLIN, 0};
    while (poll(&answer, 1, asked_every_milliseconds) <= 0) {
        if (observer != nullptr) observer->stop_if_interrupted();
        if (Clock::now() > end) kill(-process_, SIGKILL);
    }
}

void DecodeWorker::report_death(const DecodeBounds &bounds) {
    constexpr int by_signal = 128;
    int status = 0;
    if (waitpid(process_, &status, 0) != process_) status = 0; // somebody else has reaped it
    process_ = 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == no_child_could_be_made)
        throw unavailable("too many processes");
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) - by_signal;
    if (signal == SIGPROF)
        throw Died(fmt::format("takes more than {:.1f} seconds of work to decode; save it anew, or "
                               "raise --max-pixels",
                               bounds.cpu_milliseconds * 1e-3));
    throw Died(fmt::format("ended its decoder ({}); damaged, or made to do harm; get the picture "
                           "again",
                           signal > 0 ? strsignal(signal) : "without a signal"));
}

} // namespace bowhist
