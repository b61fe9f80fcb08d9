#include <bowhist/io/temporary_file.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/checked_stream.hpp>
#include <bowhist/io/sweep.hpp>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace bowhist {

namespace fs = std::filesystem;

TemporaryFile::TemporaryFile(const fs::path &destination) : destination_(destination) {
    std::error_code error;
    const fs::file_status status = fs::status(destination, error);
    const std::string name = printable(destination);
    if (fs::is_directory(status))
        throw Error(Fault::output, name + ": is a directory; name a file in it");
    if (fs::exists(status)) {
        if (!fs::is_regular_file(status))
            throw Error(Fault::output, name + ": is no regular file, and this format needs one");
        if (::access(destination.c_str(), W_OK) != 0) fail_output(name, "replaced");
        old_permissions_ = status.permissions();
        const fs::path resolved = fs::canonical(destination, error);
        if (!error) destination_ = resolved;
    }
    if (!destination_.has_filename())
        throw Error(Fault::output, fmt::format("'{}': names no file to write to", name));
    create();
}

TemporaryFile::~TemporaryFile() {
    std::error_code ignored; // a destructor has nobody to tell
    if (!path_.empty()) fs::remove(path_, ignored);
}

void TemporaryFile::create() {
    static std::atomic<unsigned> next_number = 0;
    const fs::path folder = destination_.parent_path();
    sweep_temporary_files(folder);
    for (;;) {
        // not made from the destination's name, which may be as long as a name can be
        fs::path candidate = folder / temporary_name(::getpid(), next_number++);
        const int descriptor =
            ::open(candidate.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno == EEXIST) continue;
        if (descriptor >= 0) lock_.reset(::fdopen(descriptor, "wb"));
        if (!lock_) fail_output(printable(destination_), "created");
        // a run that sweeps may have come between; where nothing can be locked, nothing is swept
        const bool taken = !lock(lock_.get()) && errno == EWOULDBLOCK;
        std::error_code error;
        path_ = std::move(candidate);
        if (!taken && fs::exists(path_, error)) return;
        fs::remove(path_, error);
    }
}

void TemporaryFile::replace_destination() {
    std::error_code ignored; // permissions are a courtesy; the content matters
    if (old_permissions_) fs::permissions(path_, *old_permissions_, ignored);
    if (std::rename(path_.c_str(), destination_.c_str()) != 0)
        fail_output(printable(destination_), "replaced");
    path_.clear();
}

} // namespace bowhist
