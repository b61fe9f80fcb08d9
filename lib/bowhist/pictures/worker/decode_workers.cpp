#include <bowhist/pictures/worker/decode_workers.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/io/installed_helper.hpp>
#include <bowhist/pictures/worker/messages.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

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

namespace {

[[noreturn]] void fail(const DecodeReply &reply, const DecodeBounds &bounds) {
    switch (reply.outcome) {
    case DecodeReply::Outcome::no_memory:
        throw std::bad_alloc();
    case DecodeReply::Outcome::not_forked:
        throw WorkerUnavailable("too many processes");
    case DecodeReply::Outcome::too_slow:
        throw Error(Cause::slow, fmt::format("takes more than {:.1f} seconds of work to decode; "
                                             "save it anew, or raise --max-pixels",
                                             bounds.cpu_milliseconds * 1e-3));
    default:
        throw DecodeWorker::Refused(reply.cause, reply.text.data());
    }
}

} // namespace

DecodeWorker::~DecodeWorker() {
    if (getpid() == owner_) shutdown(socket_, SHUT_RDWR); // a forked process may hold it, too
    close(socket_);
}

DecodedImage DecodeWorker::decode(const EncodedFile &file, Color color, int side,
                                  const DecodeBounds &bounds, const Observer *observer) {
    DecodeRequest request;
    request.sample_bytes = most_pixels_left(file.header, side) * static_cast<std::uint64_t>(color);
    request.color = color;
    request.side = side;
    const DecodeReply reply = ask(file, request, bounds, observer);
    Raster image = image_of(reply, request);
    let_go();
    return {std::move(image), reply.text.data(), reply.note.data()};
}

std::vector<Raster> DecodeWorker::decode_frames(const EncodedFile &file, int side, std::size_t most,
                                                std::uint64_t room, const DecodeBounds &bounds,
                                                const Observer *observer) {
    DecodeRequest request;
    request.sample_bytes = room;
    request.side = side;
    request.most_frames = static_cast<std::uint32_t>(most);
    const DecodeReply reply = ask(file, request, bounds, observer);
    std::vector<Raster> frames = frames_of(reply, request);
    let_go();
    return frames;
}

/// Fills in the rest of the request, and sends it with the file. @return what was decoded
DecodeReply DecodeWorker::ask(const EncodedFile &file, DecodeRequest &request,
                              const DecodeBounds &bounds, const Observer *observer) {
    request.file_bytes = file.bytes.size();
    request.memory_bytes = bounds.memory_bytes + request.file_bytes + request.sample_bytes;
    request.cpu_milliseconds = bounds.cpu_milliseconds;
    const int descriptor = share(request.file_bytes + request.sample_bytes);
    request.shared_bytes = memory_->bytes().size();
    std::copy(file.bytes.begin(), file.bytes.end(), memory_->bytes().begin());
    if (send_message(socket_, request, descriptor)) wait_for_reply(bounds, observer);
    const auto reply = receive_message<DecodeReply>(socket_); // why it left, where it is gone
    if (!reply && observer != nullptr) observer->stop_if_interrupted(); // it is not to blame
    if (!reply) throw Died();
    if (reply->message.outcome != DecodeReply::Outcome::decoded) fail(reply->message, bounds);
    ++decoded_;
    return reply->message;
}

/// Large memory.
void DecodeWorker::let_go() {
    if (memory_->bytes().size() > most_kept_bytes) memory_.reset();
}

/// Makes room for that many bytes; the descriptor to send along, if the process lacks it.
int DecodeWorker::share(std::uint64_t bytes) {
    if (memory_ && memory_->bytes().size() >= bytes) return no_descriptor;
    memory_.reset();
    rlimit files = {};
    getrlimit(RLIMIT_FSIZE, &files);
    if (std::bit_ceil(bytes) > files.rlim_cur) throw WorkerUnavailable("a limit on files");
    try {
        memory_.emplace(std::bit_ceil(bytes));
    } catch (const std::system_error &error) {
        throw WorkerUnavailable(error.code().message());
    }
    return memory_->descriptor();
}

void DecodeWorker::wait_for_reply(const DecodeBounds &bounds, const Observer *observer) {
    using Clock = std::chrono::steady_clock;
    constexpr int asked_every_milliseconds = 100;
    constexpr int share_of_a_busy_machine = 30; // a decoder that waits uses up no CPU time
    const auto end =
        Clock::now() + share_of_a_busy_machine * std::chrono::milliseconds(bounds.cpu_milliseconds);
    pollfd answer = {socket_, POLLIN, 0};
    while (poll(&answer, 1, asked_every_milliseconds) <= 0) {
        if (observer != nullptr) observer->stop_if_interrupted();
        if (Clock::now() > end) throw Died();
    }
}

/// A worker that went astray may answer anything.
Raster DecodeWorker::image_of(const DecodeReply &reply, const DecodeRequest &request) {
    Raster image{reply.width, reply.height, request.color, {}};
    const auto room = memory_->bytes().subspan(request.file_bytes, request.sample_bytes);
    const bool fits = reply.width > 0 && reply.height > 0 &&
                      image.row_samples() <= room.size() / static_cast<std::size_t>(reply.height);
    if (!fits) throw Died();
    const auto samples = room.first(image.row_samples() * static_cast<std::size_t>(reply.height));
    image.samples.assign(samples.begin(), samples.end());
    return image;
}

std::vector<Raster> DecodeWorker::frames_of(const DecodeReply &reply,
                                            const DecodeRequest &request) {
    auto room = memory_->bytes().subspan(request.file_bytes, request.sample_bytes);
    if (reply.frames == 0 || reply.frames > request.most_frames) throw Died();
    std::vector<Raster> frames;
    for (std::uint32_t i = 0; i < reply.frames; ++i) {
        FrameSize size;
        if (room.size() < sizeof size) throw Died();
        std::memcpy(&size, room.data(), sizeof size);
        room = room.subspan(sizeof size);
        const bool fits = size.width > 0 && size.height > 0 &&
                          static_cast<std::size_t>(size.width) <=
                              room.size() / static_cast<std::size_t>(size.height);
        if (!fits) throw Died();
        Raster frame{size.width, size.height, Color::grey, {}};
        const auto samples =
            room.first(frame.row_samples() * static_cast<std::size_t>(size.height));
        frame.samples.assign(samples.begin(), samples.end());
        room = room.subspan(samples.size());
        frames.push_back(std::move(frame));
    }
    return frames;
}

template <typename Work>
auto DecodeWorkers::with_worker(Work work) {
    constexpr int most_tries = 3; // another process may end the server, too
    Worker worker = take();
    for (int tries = 1;; ++tries, worker = start()) {
        const bool was_fresh = worker.process->is_fresh();
        try {
            auto result = work(*worker.process);
            keep(std::move(worker));
            return result;
        } catch (const DecodeWorker::Died &death) {
            const bool is_to_blame = was_fresh && !is_gone(*worker.server);
            if (is_to_blame || tries == most_tries) throw Error(Cause::killed, death.what());
        } catch (const DecodeWorker::Refused &) {
            if (was_fresh || tries == most_tries) throw;
        } catch (const std::bad_alloc &) {
            if (was_fresh || tries == most_tries) throw;
        }
    }
}

DecodedImage DecodeWorkers::decode(const EncodedFile &file, Color color, int side,
                                   const DecodeBounds &bounds, const Observer *observer) {
    return with_worker(
        [&](DecodeWorker &worker) { return worker.decode(file, color, side, bounds, observer); });
}

std::vector<Raster> DecodeWorkers::decode_frames(const EncodedFile &file, int side,
                                                 std::size_t most, std::uint64_t room,
                                                 const DecodeBounds &bounds,
                                                 const Observer *observer) {
    return with_worker([&](DecodeWorker &worker) {
        return worker.decode_frames(file, side, most, room, bounds, observer);
    });
}

void DecodeWorkers::end() {
    const std::lock_guard lock(mutex_);
    idle_.clear();
    server_.reset();
}

DecodeWorkers::Worker DecodeWorkers::take() {
    {
        const std::lock_guard lock(mutex_);
        if (owner_ != getpid()) {
            idle_.clear();
            server_.reset();
            owner_ = getpid();
        }
        if (!idle_.empty()) {
            Worker last = std::move(idle_.back());
            idle_.pop_back();
            return last;
        }
    }
    return start();
}

DecodeWorkers::Worker DecodeWorkers::start() {
    const std::lock_guard lock(mutex_);
    if (server_ && server_->is_gone()) server_.reset();
    if (!server_) server_ = std::make_shared<DecodeServer>();
    return {server_, std::make_unique<DecodeWorker>(server_->start_worker())};
}

bool DecodeWorkers::is_gone(DecodeServer &server) {
    const std::lock_guard lock(mutex_);
    return server.is_gone();
}

void DecodeWorkers::keep(Worker worker) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(worker));
}

} // namespace bowhist
