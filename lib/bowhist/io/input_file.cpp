#include <bowhist/io/input_file.hpp>

#include <bowhist/core/printable.hpp>
#include <bowhist/io/near_names.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace bowhist {

bool is_missing(const std::filesystem::path &path) {
    std::error_code unknown;
    return std::filesystem::status(path, unknown).type() == std::filesystem::file_type::not_found;
}

void require_standard_input(Fault fault) {
    const int flags = ::fcntl(STDIN_FILENO, F_GETFL);
    if (flags == -1 || (flags & O_ACCMODE) == O_WRONLY)
        throw Error(fault, "standard input: is closed; pipe something into it, or name a file");
}

namespace {

struct stat examined(const InputFile &file) {
    struct stat status {};
    if (::fstat(file.descriptor(), &status) != 0)
        file.fail("cannot be examined: {}", std::generic_category().message(errno));
    return status;
}

} // namespace

InputFile::InputFile(const std::filesystem::path &path, Fault fault)
    : ByteSource(printable(path), fault) {
    // O_NONBLOCK: a pipe without a writer must not block; it means nothing for a regular file
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) {
        const std::string reason = std::generic_category().message(errno);
        fail("cannot be opened: {}{}", reason, did_you_mean_on_disk(path));
    }
    file_.reset(::fdopen(descriptor, "rb"));
    if (!file_) {
        ::close(descriptor);
        fail("cannot be opened: {}", std::generic_category().message(errno));
    }
    take_size();
}

InputFile::InputFile(FileHandle file, std::string name, Fault fault)
    : ByteSource(std::move(name), fault), file_(std::move(file)) {
    take_size();
}

void InputFile::take_size() {
    const struct stat status = examined(*this);
    if (S_ISDIR(status.st_mode)) fail("is a directory; expected a file");
    if (!S_ISREG(status.st_mode)) fail("is no regular file; save its content to one first");
    size_ = static_cast<std::uint64_t>(status.st_size);
    written_ = status.st_mtim;
}

InputFile InputFile::standard_input(Fault fault) {
    require_standard_input(fault);
    const std::string name = "standard input";
    const auto fail = [&](const char *what) {
        throw Error(fault, name + what + std::generic_category().message(errno));
    };
    FileHandle copy(std::tmpfile());
    if (!copy) fail(": cannot be copied to a temporary file: ");
    std::array<char, 1 << 16> piece{};
    ssize_t found = 0;
    while ((found = ::read(STDIN_FILENO, piece.data(), piece.size())) > 0) {
        const auto bytes = static_cast<std::size_t>(found);
        if (std::fwrite(piece.data(), 1, bytes, copy.get()) != bytes)
            fail(": cannot be copied to a temporary file: ");
    }
    if (found < 0 && errno == EINTR) throw Error(Fault::interrupted, "interrupted");
    if (found < 0) fail(": cannot be read: ");
    if (std::fflush(copy.get()) != 0) fail(": cannot be copied to a temporary file: ");
    std::rewind(copy.get());
    return {std::move(copy), name, fault};
}

InputFile InputFile::in_memory(std::string_view bytes, std::string name, Fault fault) {
    FileHandle copy(::fdopen(::memfd_create("bowhist input", MFD_CLOEXEC), "w+b"));
    if (!copy || std::fwrite(bytes.data(), 1, bytes.size(), copy.get()) != bytes.size() ||
        std::fflush(copy.get()) != 0)
        throw Error(fault, fmt::format("{}: cannot be copied in memory: {}", name,
                                       std::generic_category().message(errno)));
    std::rewind(copy.get());
    return {std::move(copy), std::move(name), fault};
}

void InputFile::read(std::span<std::byte> into) {
    if (into.empty()) return; // an empty vector's data() may be null, which fread does not take
    const std::size_t found = std::fread(into.data(), 1, into.size(), file_.get());
    position_ += found;
    if (found == into.size()) return;
    if (std::ferror(file_.get()) != 0)
        fail("cannot be read: {}", std::generic_category().message(errno));
    fail("ends too early, after {} bytes", position_);
}

void InputFile::read_at(std::uint64_t position, std::span<std::byte> into) const {
    while (!into.empty()) {
        const ssize_t found =
            ::pread(descriptor(), into.data(), into.size(), static_cast<off_t>(position));
        if (found < 0 && errno == EINTR) continue;
        if (found < 0) fail("cannot be read: {}", std::generic_category().message(errno));
        if (found == 0) fail("has become shorter while it was read");
        position += static_cast<std::uint64_t>(found);
        into = into.subspan(static_cast<std::size_t>(found));
    }
}

std::size_t InputFile::read_directly(std::uint64_t position, std::span<std::byte> into) const {
    const auto self = "/proc/self/fd/" + std::to_string(descriptor()); // whatever its name is now
    const int direct = ::open(self.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC);
    if (direct < 0) return 0;
    std::size_t there = 0;
    while (there < into.size() && there % direct_block == 0) { // else that was the end of the file
        const ssize_t found = ::pread(direct, into.data() + there, into.size() - there,
                                      static_cast<off_t>(position + there));
        if (found < 0 && errno == EINTR) continue;
        if (found <= 0) break;
        there += static_cast<std::size_t>(found);
    }
    ::close(direct);
    return there;
}

void InputFile::let_go(std::uint64_t position, std::uint64_t size) const {
    ::posix_fadvise(descriptor(), static_cast<off_t>(position), static_cast<off_t>(size),
                    POSIX_FADV_DONTNEED);
}

void InputFile::require_unchanged() const {
    const struct stat status = examined(*this);
    if (static_cast<std::uint64_t>(status.st_size) != size_ ||
        status.st_mtim.tv_sec != written_.tv_sec || status.st_mtim.tv_nsec != written_.tv_nsec)
        fail("was changed while it was read; leave it alone, and start again");
}

std::string InputFile::peek(std::size_t most) {
    std::string bytes(std::min<std::uint64_t>(most, remaining()), '\0');
    read(std::as_writable_bytes(std::span(bytes)));
    seek(position_ - bytes.size());
    return bytes;
}

void InputFile::seek(std::uint64_t position) {
    if (std::fseek(file_.get(), static_cast<long>(position), SEEK_SET) != 0)
        fail("cannot be read: {}", std::generic_category().message(errno));
    position_ = position;
}

std::string InputFile::read_text() {
    auto text = allocate<std::string>(*this, remaining());
    read(std::as_writable_bytes(std::span(text)));
    return text;
}

} // namespace bowhist
