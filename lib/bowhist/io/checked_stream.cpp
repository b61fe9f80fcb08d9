#include <bowhist/io/checked_stream.hpp>

#include <bowhist/core/error.hpp>

#include <cerrno>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>

namespace bowhist {

void fail_output(std::string_view name, std::string_view doing) {
    const int reason = errno;
    const std::string_view advice =
        reason == ENOENT         ? "; make its folder first"
        : reason == ENOSPC       ? "; make room, or choose another place"
        : reason == EFBIG        ? "; raise the limit (ulimit -f)"
        : reason == ELOOP        ? "; name the file itself"
        : reason == ENAMETOOLONG ? "; choose a shorter one"
        : reason == ESPIPE ? "; this format goes back to its header: write it to a regular file"
                           : "";
    throw Error(Fault::output, fmt::format("{}: cannot be {}: {}{}", name, doing,
                                           std::generic_category().message(reason), advice));
}

CheckedStream::CheckedStream(std::FILE *file, std::string name)
    : name_(std::move(name)), file_(file) {
    if (!file_) fail_output(name_, "opened for writing");
}

CheckedStream::CheckedStream(const std::filesystem::path &file, std::string name)
    : CheckedStream(std::fopen(file.c_str(), "wbe"), std::move(name)) {}

CheckedStream CheckedStream::standard_output() {
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
