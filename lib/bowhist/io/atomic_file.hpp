#pragma once

#include <bowhist/io/checked_stream.hpp>
#include <bowhist/io/temporary_file.hpp>

#include <bit>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace bowhist {

/// A file that appears whole or not at all: written beside its destination, renamed by commit().
/// Destroyed without commit(), it leaves nothing behind and the old file untouched.
///
/// Protocol: write* and rewind, then close (optional), then commit.
/// A destination that exists and is no regular file (/dev/null, a pipe) is written directly.
///
/// @throws Error{Fault::output} naming the destination and the system's reason.
class AtomicFile {
  public:
    explicit AtomicFile(std::filesystem::path destination);
    /// Bytes go to standard output as they come.
    static AtomicFile standard_output() { return AtomicFile(CheckedStream::standard_output()); }

    void write(std::string_view bytes) { stream_.write(bytes); }
    /// Returns to the first byte, to write a header once its numbers are known.
    void rewind() { stream_.rewind(); }
    /// Whether bytes reach their destination as they are written, before commit().
    bool written_directly() const { return !temporary_; }
    /// Hands everything to the system, beside the destination: then only the rename can fail. It
    /// does not wait for the disk: a power cut may lose what was closed and committed.
    void close() { stream_.close(); }
    void commit();

    const std::filesystem::path &destination() const { return destination_; }

  private:
    explicit AtomicFile(CheckedStream stream) : stream_(std::move(stream)) {}

    std::filesystem::path destination_;        ///< empty for standard output
    std::unique_ptr<TemporaryFile> temporary_; ///< null when written directly
    CheckedStream stream_;
};

/// Standard output for an empty path.
inline AtomicFile file_or_standard_output(const std::filesystem::path &path) {
    return path.empty() ? AtomicFile::standard_output() : AtomicFile(path);
}

static_assert(std::endian::native == std::endian::little,
              "every format here is little-endian and is written as it lies in memory");

/// The bytes of a range of plain values, as they lie in memory (little-endian here).
template <typename Range>
std::string_view bytes_of(const Range &values) {
    const auto bytes = std::as_bytes(std::span(values));
    return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

} // namespace bowhist
