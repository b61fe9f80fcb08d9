#include "app/command/standard_streams.hpp"
#include "app/command/last_words.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/io/checked_stream.hpp>

#include <cerrno>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace bowhist::app {
namespace {

std::FILE *own_stream = stderr;

} // namespace

std::FILE *messages() {
    return own_stream;
}

void open_standard_streams() {
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (fcntl(descriptor, F_GETFD) == -1) // the lowest free number is this one
            open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_WRONLY);
}

void silence_libraries() {
    std::fflush(stderr);
    const int own = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    const int hearing = open_hearing();
    if (own == -1 || hearing == -1) return;
    if (std::FILE *stream = fdopen(own, "w")) {
        std::setvbuf(stream, nullptr, _IONBF, 0);
        own_stream = stream;
        dup2(hearing, STDERR_FILENO);
    }
}

void print_message(const std::string &text) {
    std::fwrite(text.data(), 1, text.size(), messages());
    std::fflush(messages());
}

void finish_standard_output() {
    const bool lost = std::ferror(stdout) != 0;
    if (std::fflush(stdout) == 0 && !lost) return;
    if (errno == EBADF) fail_output("standard output", "written");
    throw Error(Fault::output,
                "standard output: cannot be written: " + std::generic_category().message(errno) +
                    "; send it to a file or a program that takes it all");
}

} // namespace bowhist::app
