#include <bowhist/io/zip_archive.hpp>

#include <bowhist/io/free_memory.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace bowhist {

namespace {

/// The archive that libzip opened. @throws Error{fault} with its reason
ZipArchive opened(zip_t *archive, int code, Fault fault, const std::string &name) {
    if (archive) return ZipArchive(archive);
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string reason = zip_error_strerror(&error);
    zip_error_fini(&error);
    throw Error(fault, fmt::format("{}: cannot be opened as a zip archive: {}", name, reason));
}

} // namespace

ZipArchive create_zip(const std::filesystem::path &path, const std::string &name) {
    int code = 0;
    zip_t *const archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
    return opened(archive, code, Fault::output, name);
}

ZipArchive read_zip(const InputFile &file) {
    int code = 0;
    const int copy = ::dup(file.descriptor()); // libzip's to close, once it took it
    if (copy < 0) file.fail("cannot be opened: {}", std::generic_category().message(errno));
    zip_t *const archive = zip_fdopen(copy, 0, &code);
    if (!archive) ::close(copy);
    return opened(archive, code, Fault::input, file.name());
}

ZipEntry::ZipEntry(zip_t &archive, const InputFile &file, const std::string &entry_name)
    : ByteSource(file.name() + ", entry " + entry_name, Fault::input) {
    zip_stat_t status;
    if (zip_stat(&archive, entry_name.c_str(), 0, &status) != 0)
        fail("is not in the archive; expected one that bowhist or numpy.savez wrote");
    require_room(status, std::min(status.comp_size, file.size()));
    entry_.reset(zip_fopen_index(&archive, status.index, 0));
    if (!entry_) fail("cannot be read: {}", zip_strerror(&archive));
    remaining_ = status.size;
}

/// A caller that asks for the bytes allocates what is promised. So a large entry must be possible
/// by the size of its compressed bytes, and must fit into memory.
void ZipEntry::require_room(const zip_stat_t &promised, std::uint64_t there) const {
    constexpr std::uint64_t little = 64 << 20;
    constexpr std::uint64_t most_of_one = 1032; // that deflate makes of a byte
    if (promised.size <= little) return;
    const bool stored = promised.comp_method == ZIP_CM_STORE;
    if (promised.size / (stored ? 1 : most_of_one) > there)
        fail("promises {} bytes out of {}, which hold less; it is cut off, damaged, or compressed "
             "in another way than numpy.savez_compressed does",
             promised.size, there);
    if (const std::uint64_t room = obtainable_memory(); promised.size > room)
        fail("promises {} bytes, and {} bytes of memory are free; give it in parts", promised.size,
             room);
}

void ZipEntry::fail_damaged() {
    fail("is damaged: {}", zip_file_strerror(entry_.get()));
}

void ZipEntry::read(std::span<std::byte> into) {
    while (!into.empty()) {
        const zip_int64_t found = zip_fread(entry_.get(), into.data(), into.size());
        if (found < 0) fail_damaged();
        if (found == 0) fail("ends too early");
        remaining_ -= std::min<std::uint64_t>(remaining_, static_cast<std::uint64_t>(found));
        into = into.subspan(static_cast<std::size_t>(found));
    }
}

void ZipEntry::require_end() {
    // libzip compares the checksum when it is asked for what follows the last byte
    std::byte beyond;
    const zip_int64_t found = zip_fread(entry_.get(), &beyond, 1);
    if (found < 0) fail_damaged();
    if (found > 0) fail("is longer than its header promises");
}

} // namespace bowhist
