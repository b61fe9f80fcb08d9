#include "app/command/last_words.hpp"
#include "app/command/standard_streams.hpp"

#include <bowhist/device/drivers/drivers.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace bowhist::app {
namespace {

constexpr int failed = 3; // the exit status: no result

int hearing = -1;
std::atomic<bool> is_over = false;
std::atomic<int> last_status = failed;

/// Only what signal handlers may call.
void write_all(const char *text, std::size_t bytes) {
    const int stream = fileno(messages());
    while (bytes > 0) {
        const ssize_t written = write(stream, text, bytes);
        if (written <= 0) return;
        text += written;
        bytes -= static_cast<std::size_t>(written);
    }
}

void write_line(const char *text) {
    write_all(text, std::strlen(text));
}

void write_what_was_heard() {
    off_t left = hearing < 0 ? 0 : lseek(hearing, 0, SEEK_CUR);
    std::array<char, 1024> part = {};
    for (off_t at = 0; left > 0;) {
        const ssize_t bytes =
            pread(hearing, part.data(), std::min<std::size_t>(part.size(), left), at);
        if (bytes <= 0) return;
        write_all(part.data(), static_cast<std::size_t>(bytes));
        at += bytes;
        left -= bytes;
    }
}

/// Blames no driver where none was loaded.
void write_end_by(const char *what) {
    const bool may_be_driver = has_loaded_drivers();
    write_line(may_be_driver
                   ? "bowhist: a driver or library ended the run by "
                   : "bowhist: the program, or a library that it uses, ended the run by ");
    write_line(what);
    write_line(may_be_driver
                   ? ", with what it printed above; --kernel simd needs no driver\n"
                   : "; please report this with the command you ran, and what is printed above\n");
}

void die_of(int signal) {
    if (is_over.exchange(true)) _exit(last_status);
    write_what_was_heard();
    write_end_by(signal == SIGABRT ? "abort()" : "a crash");
    if (signal == SIGABRT) _exit(failed);
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void end_of_process() {
    if (is_over.exchange(true)) return;
    write_what_was_heard();
    write_end_by("exit()");
    _exit(failed);
}

} // namespace

void keep_last_words() {
    for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGILL}) {
        struct sigaction before {};
        sigaction(signal, nullptr, &before);
        if (before.sa_handler != SIG_DFL) continue; // a sanitizer's
        struct sigaction action {};
        action.sa_handler = die_of;
        sigaction(signal, &action, nullptr);
    }
    std::atexit(end_of_process);
}

void ends_with(int status) {
    last_status = status;
    is_over = true;
}

int open_hearing() {
    constexpr off_t most = 1 << 16;
    hearing = memfd_create("bowhist-libraries", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (hearing >= 0 && ftruncate(hearing, most) == 0 &&
        fcntl(hearing, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0)
        return hearing;
    close(hearing);
    hearing = -1;
    return open("/dev/null", O_WRONLY | O_CLOEXEC);
}

} // namespace bowhist::app
