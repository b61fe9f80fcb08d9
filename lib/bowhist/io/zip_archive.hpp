#pragma once

#include <bowhist/core/large_memory.hpp>
#include <bowhist/io/input_file.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <zip.h>

namespace bowhist {

/// A zip archive of libzip; discarded unless zip_close took it.
using ZipArchive = std::unique_ptr<zip_t, Release<zip_discard>>;

/// A new archive in place of what `path` holds. @throws Error{Fault::output} "NAME: libzip's
/// reason"
ZipArchive create_zip(const std::filesystem::path &path, const std::string &name);

/// @throws Error{Fault::input}
ZipArchive read_zip(const InputFile &file);

/// An entry, to be read from an archive that outlives it.
class ZipEntry : public ByteSource {
  public:
    /// @throws Error{Fault::input} when the archive, which `file` holds, has no such entry, or one
    ///         that promises more bytes than can be there, or than there is memory for
    ZipEntry(zip_t &archive, const InputFile &file, const std::string &entry_name);

    std::uint64_t remaining() const override { return remaining_; }
    void read(std::span<std::byte> into) override;
    void require_end(); ///< after the last byte: checks that its checksum fits

  private:
    void require_room(const zip_stat_t &promised, std::uint64_t there) const;
    [[noreturn]] void fail_damaged();

    std::unique_ptr<zip_file_t, Release<zip_fclose>> entry_;
    std::uint64_t remaining_ = 0;
};

} // namespace bowhist
