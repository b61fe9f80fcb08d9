#include <bowhist/io/write_over.hpp>

#include <bowhist/io/checked_stream.hpp>
#include <bowhist/io/file_handle.hpp>
#include <bowhist/io/input_file.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>
#include <vector>

namespace bowhist {

namespace {

/// Open for writing, with all its bytes. Not created: where others may not create a file in the
/// folder (a sticky one), they may still write to this one.
FileHandle open_for_writing(const std::filesystem::path &path, const std::string &name) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) fail_output(name, "replaced");
    FileHandle file(::fdopen(descriptor, "wb"));
    if (!file) {
        ::close(descriptor);
        fail_output(name, "replaced");
    }
    return file;
}

void require_room(std::FILE *file, std::uint64_t bytes, const std::string &name) {
    if (bytes == 0) return;
    if (::fallocate(::fileno(file), FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(bytes)) == 0) return;
    if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG) fail_output(name, "written");
}

} // namespace

void write_over(const std::filesystem::path &from, const std::filesystem::path &to,
                const std::string &name) {
    InputFile source(from, Fault::output);
    FileHandle file = open_for_writing(to, name);
    require_room(file.get(), source.size(), name);
    constexpr std::uint64_t piece = 1 << 20;
    std::vector<std::byte> bytes(std::min(piece, source.size()));
    while (source.remaining() > 0) {
        const auto some = std::span(bytes).first(std::min(piece, source.remaining()));
        source.read(some);
        if (std::fwrite(some.data(), 1, some.size(), file.get()) != some.size())
            fail_output(name, "written");
    }
    if (std::fflush(file.get()) != 0 ||
        ::ftruncate(::fileno(file.get()), static_cast<off_t>(source.size())) != 0 ||
        std::fclose(file.release()) != 0)
        fail_output(name, "written");
}

} // namespace bowhist
