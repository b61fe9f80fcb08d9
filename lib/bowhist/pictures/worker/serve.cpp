#include <bowhist/pictures/worker/serve.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/pictures/codecs/codecs.hpp>
#include <bowhist/pictures/decode.hpp>
#include <bowhist/pictures/worker/messages.hpp>
#include <bowhist/pictures/worker/shared_memory.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bowhist {
namespace {

/// Lowers a limit; one that is lower already stays.
void limit(__rlimit_resource_t resource, std::uint64_t most) {
    rlimit now = {};
    getrlimit(resource, &now);
    now.rlim_cur = std::min<rlim_t>(most, now.rlim_max);
    setrlimit(resource, &now);
}

/// The bytes of private memory that the process holds and can write to.
std::uint64_t data_bytes() {
    std::ifstream numbers("/proc/self/statm");
    std::uint64_t pages = 0; // the sixth number counts those of data
    for (int i = 0; i < 6; ++i) numbers >> pages;
    return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

int socket_of_worker = no_descriptor;

/// Replies that CPU time has run out, and ends. Calls nothing that a signal's handler must not.
void give_up(int /*signal*/) {
    DecodeReply reply;
    reply.outcome = DecodeReply::Outcome::too_slow;
    send_message(socket_of_worker, reply);
    _exit(EXIT_FAILURE);
}

/// SIGPROF comes after so much work of all threads; 0 stops the clock.
void allow_cpu(std::uint32_t milliseconds) {
    itimerval timer = {};
    timer.it_value.tv_sec = milliseconds / 1000;
    timer.it_value.tv_usec = static_cast<suseconds_t>(milliseconds % 1000) * 1000;
    setitimer(ITIMER_PROF, &timer, nullptr);
}

Error larger_than_its_header() {
    return {Fault::input, "larger than in its header"};
}

DecodeReply decoded_frames(const EncodedFile &file, const DecodeRequest &request,
                           std::span<char> room) {
    DecodeReply reply;
    for (const Raster &frame : decode_frames(file, request.side, request.most_frames)) {
        const FrameSize size{frame.width, frame.height};
        if (room.size() < sizeof size + frame.samples.size()) throw larger_than_its_header();
        std::memcpy(room.data(), &size, sizeof size);
        std::ranges::copy(frame.samples, room.begin() + sizeof size);
        room = room.subspan(sizeof size + frame.samples.size());
        ++reply.frames;
    }
    return reply;
}

DecodeReply decoded(const DecodeRequest &request, std::span<char> memory) {
    const auto file = memory.first(request.file_bytes);
    const auto room = memory.subspan(request.file_bytes);
    const auto header = read_image_header({file.data(), file.size()});
    if (!header) throw Error(Fault::input, "no picture");
    if (request.most_frames > 0) return decoded_frames({*header, file}, request, room);
    const DecodedImage result = decode({*header, file}, request.color, request.side);
    const auto &samples = result.image.samples;
    if (samples.size() > room.size()) throw larger_than_its_header();
    std::copy(samples.begin(), samples.end(), room.begin());
    DecodeReply reply;
    reply.width = result.image.width;
    reply.height = result.image.height;
    reply.text = DecodeReply::text_of(result.damage);
    reply.note = DecodeReply::text_of(result.note);
    return reply;
}

/// Decoders call damaged what they lack memory, a thread or a file for. The bytes are at fault
/// where all of these were at hand: the memory up to the limit, which is the image's own, is there
/// still.
Cause cause_of_refusal(const DecodeRequest &request) {
    rlimit most = {};
    getrlimit(RLIMIT_DATA, &most);
    constexpr std::uint64_t slack = 1 << 20; // the thread's and the libraries'
    const std::uint64_t held = data_bytes() + slack;
    const std::size_t left = most.rlim_cur > held ? most.rlim_cur - held : slack;
    void *room = mmap(nullptr, left, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) return Cause::memory;
    munmap(room, left);
    try {
        std::thread([] {}).join();
    } catch (const std::system_error &) {
        return Cause::limit;
    }
    const std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(std::tmpfile(), std::fclose);
    const bool has_disk =
        file && posix_fallocate(fileno(file.get()), 0, static_cast<off_t>(request.file_bytes)) == 0;
    return has_disk ? Cause::damage : Cause::limit;
}

DecodeReply refusal(const std::exception &error, Cause cause) {
    DecodeReply reply;
    reply.outcome = DecodeReply::Outcome::refused;
    reply.cause = cause;
    reply.text = DecodeReply::text_of(error.what());
    return reply;
}

DecodeReply answer(const Received<DecodeRequest> &received, std::optional<SharedMemory> &memory) {
    const DecodeRequest &request = received.message;
    DecodeReply reply;
    try {
        if (received.descriptor != no_descriptor)
            memory.emplace(received.descriptor, request.shared_bytes);
        allow_cpu(request.cpu_milliseconds);
        reply = decoded(request, memory.value().bytes());
    } catch (const std::bad_alloc &) {
        reply.outcome = DecodeReply::Outcome::no_memory;
    } catch (const Error &error) {
        reply =
            refusal(error, error.cause == Cause::unknown ? cause_of_refusal(request) : error.cause);
    } catch (const std::exception &error) {
        reply = refusal(error, Cause::limit);
    }
    allow_cpu(0);
    if (request.shared_bytes > most_kept_bytes) memory.reset();
    return reply;
}

[[noreturn]] void work(int socket) {
    socket_of_worker = socket;
    std::signal(SIGPROF, give_up);
    limit(RLIMIT_CORE, 0);
    const std::uint64_t base = data_bytes();
    std::optional<SharedMemory> memory;
    while (const auto received = receive_message<DecodeRequest>(socket)) {
        limit(RLIMIT_DATA, base + received->message.memory_bytes);
        limit(RLIMIT_FSIZE, received->message.file_bytes); // OpenCV copies some kinds to a file
        const DecodeReply reply = answer(*received, memory);
        if (!send_message(socket, reply) || reply.outcome != DecodeReply::Outcome::decoded) break;
    }
    _exit(EXIT_SUCCESS);
}

/// Loads the codecs. If they cannot be loaded, each worker finds out again, and says so. This
/// process has no other thread yet, and OpenBLAS, which OpenCV may bring, shall make none.
void load_codecs() {
    ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
    try {
        if (codecs().use_one_thread != nullptr) codecs().use_one_thread();
    } catch (const Error &) { // each image reports it
    }
}

} // namespace

void serve_images(int socket) {
    // The program decides what a signal to all of its processes ends: a picture at work then would
    // be blamed.
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
    load_codecs();
    while (const auto received = receive_message<StartRequest>(socket)) {
        const pid_t worker = fork();
        if (worker == 0) {
            close(socket);
            work(received->descriptor);
        }
        DecodeReply failure;
        failure.outcome = DecodeReply::Outcome::not_forked;
        if (worker < 0) send_message(received->descriptor, failure);
        close(received->descriptor);
        while (waitpid(-1, nullptr, WNOHANG) > 0) {
        } // those that are gone
    }
    while (wait(nullptr) > 0) {
    }
    _exit(EXIT_SUCCESS);
}

} // namespace bowhist
