#include <bowhist/io/checked_stream.hpp>

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>

namespace bowhist {

bool is_fault_of_name(int reason) {
    return reason == ENAMETOOLONG || reason == EINVAL || reason == EILSEQ;
}

std::string output_failure(std::string_view name, std::string_view doing, int reason) {
    if (reason == EBADF)
        return fmt::format("{}: is closed; open it, or name a file: -o FILE", name);
    const std::string_view advice =
        reason == ENOENT         ? "; make its folder first"
        : reason == ENOSPC       ? "; make room, or choose another place"
        : reason == EFBIG        ? "; raise the limit (ulimit -f)"
        : reason == ELOOP        ? "; name the file itself"
        : reason == ENAMETOOLONG ? "; choose a shorter one"
        : reason == EINVAL || reason == EILSEQ
            ? "; its file system takes no such name: choose another name or place"
        : reason == ESPIPE ? "; this format goes back to its header: write it to a regular file"
                           : "";
    return fmt::format("{}: cannot be {}: {}{}", name, doing,
                       std::generic_category().message(reason), advice);
}

void fail_output(std::string_view name, std::string_view doing) {
    throw Error(Fault::output, output_failure(name, doing, errno));
}

CheckedStream::CheckedStream(std::FILE *file, std::string name)
    : name_(std::move(name)), file_(file) {
    if (!file_) fail_output(name_, "opened for writing");
}

CheckedStream::CheckedStream(const std::filesystem::path &file, std::string name)
    : CheckedStream(std::fopen(file.c_str(), "wbe"), std::move(name)) {}

CheckedStream CheckedStream::standard_output() {
    const int flags = ::fcntl(STDOUT_FILENO, F_GETFL);
    if (flags != -1 && (flags & O_ACCMODE) == O_RDONLY) { // as the program opens a closed one
        errno = EBADF;
        fail_output("standard output", "written");
    }
    // a copy of the descriptor: it can be closed, and closing is what reports the last failures
    const int copy = ::dup(STDOUT_FILENO);
    return {copy < 0 ? nullptr : ::fdopen(copy, "wb"), "standard output"};
}

void CheckedStream::write(std::string_view bytes) {
    if (bytes.empty()) return; // an empty vector's data() may be null, which fwrite does not take
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size())
        fail_output(name_, "written");
}

void CheckedStream::rewind() {
    if (std::fseek(file_.get(), 0, SEEK_SET) != 0) fail_output(name_, "written from its start");
}

void CheckedStream::close() {
    if (file_ && std::fclose(file_.release()) != 0) fail_output(name_, "written");
}

} // namespace bowhist
