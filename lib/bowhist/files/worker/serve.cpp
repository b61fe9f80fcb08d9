#include <bowhist/files/worker/serve.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/files/codecs.hpp>
#include <bowhist/files/decode.hpp>
#include <bowhist/files/worker/messages.hpp>
#include <bowhist/files/worker/shared_memory.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <optional>
#include <span>

#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bowhist {
namespace {

constexpr int next_child =
    1; ///< a child's status: it failed at a picture, and another shall follow

/// Lowers a limit; one that is lower already stays.
void limit(int resource, std::uint64_t most) {
    rlimit now = {};
    getrlimit(static_cast<__rlimit_resource_t>(resource), &now);
    now.rlim_cur = std::min<rlim_t>(most, now.rlim_max);
    setrlimit(static_cast<__rlimit_resource_t>(resource), &now);
}

/// What the process holds of private memory that it can write to.
std::uint64_t data_bytes() {
    unsigned long long data_pages = 0;
    if (std::FILE *file = std::fopen("/proc/self/statm", "re")) {
        if (std::fscanf(file, "%*u %*u %*u %*u %*u %llu", &data_pages) != 1) data_pages = 0;
        std::fclose(file);
    }
    return data_pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

/// SIGPROF ends the process after so much work of all its threads; 0 stops the clock.
void allow_cpu(std::uint32_t milliseconds) {
    itimerval timer = {};
    timer.it_value.tv_sec = milliseconds / 1000;
    timer.it_value.tv_usec = static_cast<suseconds_t>(milliseconds % 1000) * 1000;
    setitimer(ITIMER_PROF, &timer, nullptr);
}

DecodeReply decoded(const DecodeRequest &request, std::span<char> memory) {
    const auto file = memory.first(request.file_bytes);
    const auto room = memory.subspan(request.file_bytes);
    const auto header = read_picture_header({file.data(), file.size()});
    if (!header) throw Error(Fault::input, "no picture");
    const DecodedPicture result = decode({*header, file}, request.colour, request.side);
    const auto &samples = result.picture.samples;
    if (samples.size() > room.size()) throw Error(Fault::input, "larger than its header tells");
    std::copy(samples.begin(), samples.end(), room.begin());
    DecodeReply reply;
    reply.width = result.picture.width;
    reply.height = result.picture.height;
    reply.say(result.damage);
    return reply;
}

DecodeReply answer(const ReceivedRequest &received, std::optional<SharedMemory> &memory) {
    const DecodeRequest &request = received.request;
    DecodeReply reply;
    try {
        if (received.descriptor != no_descriptor)
            memory.emplace(received.descriptor, request.shared_bytes);
        allow_cpu(request.cpu_milliseconds);
        reply = decoded(request, memory.value().bytes());
    } catch (const std::bad_alloc &) {
        reply.outcome = DecodeReply::Outcome::no_memory;
    } catch (const std::exception &error) {
        reply.outcome = DecodeReply::Outcome::refused;
        reply.say(error.what());
    }
    allow_cpu(0);
    if (request.shared_bytes > most_kept_bytes) memory.reset();
    return reply;
}

[[noreturn]] void serve_until_failure(int socket) {
    limit(RLIMIT_CORE, 0);
    const std::uint64_t base = data_bytes();
    std::optional<SharedMemory> memory;
    while (const auto received = receive_request(socket)) {
        limit(RLIMIT_DATA, base + received->request.memory_bytes);
        limit(RLIMIT_FSIZE, received->request.file_bytes); // OpenCV copies some kinds to a file
        const DecodeReply reply = answer(*received, memory);
        if (!send(socket, reply)) break;
        if (reply.outcome != DecodeReply::Outcome::decoded) _exit(next_child);
    }
    _exit(EXIT_SUCCESS);
}

/// Where they cannot be loaded, the child finds out again, and says so.
void load_codecs() {
    try {
        codecs().use_one_thread();
    } catch (const Error &) { // told for each picture
    }
}

} // namespace

void serve_pictures(int socket) {
    constexpr int by_signal = 128;
    while (const auto coming = peek_request(socket)) {
        if (coming->needs_codecs) load_codecs();
        const pid_t child = fork();
        if (child == 0) serve_until_failure(socket);
        int status = 0;
        if (child < 0) _exit(no_child_could_be_made);
        if (waitpid(child, &status, 0) != child) _exit(EXIT_FAILURE);
        if (WIFSIGNALED(status)) _exit(by_signal + WTERMSIG(status));
        if (WEXITSTATUS(status) != next_child) _exit(WEXITSTATUS(status));
    }
    _exit(EXIT_SUCCESS);
}

} // namespace bowhist
