#pragma once

#include <bowhist/files/byte_source.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <zip.h>

namespace bowhist {

struct DiscardZip {
    void operator()(zip_t *archive) const { zip_discard(archive); }
};
/// A zip archive of libzip; given up, not written, unless zip_close took it.
using ZipArchive = std::unique_ptr<zip_t, DiscardZip>;

/// @param flags  libzip's: ZIP_RDONLY, ZIP_CREATE …
/// @throws Error{fault} "NAME: libzip's reason"
ZipArchive open_zip(const std::filesystem::path &path, int flags, Fault fault,
                    const std::string &name);

/// An entry, to be read.
class ZipEntry : public ByteSource {
  public:
    /// @throws Error{Fault::input} when the archive has no such entry, or one that promises more
    ///         bytes than can be in it
    ZipEntry(zip_t &archive, const std::string &archive_name, const std::string &entry_name);

    std::uint64_t remaining() const override { return remaining_; }
    void read(std::span<std::byte> into) override;
    void require_end(); ///< after the last byte: checks that its checksum fits

  private:
    struct Close {
        void operator()(zip_file_t *entry) const { zip_fclose(entry); }
    };
    [[noreturn]] void fail_damaged();

    std::unique_ptr<zip_file_t, Close> entry_;
    std::uint64_t remaining_ = 0;
};

} // namespace bowhist
