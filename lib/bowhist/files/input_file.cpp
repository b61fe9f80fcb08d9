#include <bowhist/files/input_file.hpp>

#include <bowhist/core/printable.hpp>

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace bowhist {

void ByteSource::fail(const std::string &what) const {
    throw Error(fault_, name_ + ": " + what);
}

InputFile::InputFile(const std::filesystem::path &path, Fault fault)
    : ByteSource(printable(path), fault) {
    // O_NONBLOCK: a pipe without a writer must not hold us; it means nothing for a regular file
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) fail("cannot be opened: " + std::generic_category().message(errno));
    file_.reset(::fdopen(descriptor, "rb"));
    if (!file_) {
        ::close(descriptor);
        fail("cannot be opened: " + std::generic_category().message(errno));
    }
    struct stat status {};
    if (::fstat(descriptor, &status) != 0)
        fail("cannot be examined: " + std::generic_category().message(errno));
    if (S_ISDIR(status.st_mode)) fail("is a directory; expected a file");
    if (!S_ISREG(status.st_mode)) fail("is no regular file; save its content to one first");
    size_ = static_cast<std::uint64_t>(status.st_size);
}

void InputFile::read(std::span<std::byte> into) {
    if (into.empty()) return; // an empty vector's data() may be null, which fread does not take
    const std::size_t found = std::fread(into.data(), 1, into.size(), file_.get());
    position_ += found;
    if (found == into.size()) return;
    if (std::ferror(file_.get()) != 0)
        fail("cannot be read: " + std::generic_category().message(errno));
    fail("ends too early, after " + std::to_string(position_) + " bytes");
}

int InputFile::next_byte() {
    const int byte = ::getc_unlocked(file_.get());
    if (byte != EOF) {
        ++position_;
    } else if (std::ferror(file_.get()) != 0) {
        fail("cannot be read: " + std::generic_category().message(errno));
    }
    return byte;
}

std::string InputFile::read_text() {
    auto text = allocate<std::string>(*this, remaining());
    read(std::as_writable_bytes(std::span(text)));
    return text;
}

} // namespace bowhist
