#pragma once

#include <bowhist/io/byte_source.hpp>
#include <bowhist/io/file_handle.hpp>

#include <ctime>
#include <filesystem>
#include <string>

namespace bowhist {

/// A regular file, opened for reading. Anything else is refused at once: a pipe would block, a
/// directory has no bytes.
class InputFile : public ByteSource {
  public:
    /// @throws Error{fault} with the path and the reason
    InputFile(const std::filesystem::path &path, Fault fault);

    /// Whatever standard input is: copied to a nameless file first, so that its size is known.
    /// @throws Error{fault}; Fault::interrupted when a signal came meanwhile
    static InputFile standard_input(Fault fault);

    std::uint64_t size() const { return size_; } ///< bytes, when it was opened
    std::uint64_t remaining() const override { return position_ < size_ ? size_ - position_ : 0; }
    void read(std::span<std::byte> into) override;
    /// From `position` on, wherever others read. @throws Error of the file's fault
    void read_at(std::uint64_t position, std::span<std::byte> into) const;
    /// Reads past the system's cache. `position`, and size and place of `into`, are multiples of
    /// direct_block. Many threads may.
    /// @return how many bytes are there: fewer at the end of the file, none where the file system
    ///         cannot do so
    std::size_t read_directly(std::uint64_t position, std::span<std::byte> into) const;
    static constexpr std::size_t direct_block = 4096;
    /// Tells the system that these bytes will not be wanted soon: they leave its cache. A hint;
    /// nothing fails.
    void let_go(std::uint64_t position, std::uint64_t size) const;
    /// @throws Error of the file's fault when it was written to since it was opened
    void require_unchanged() const;
    int next_byte(); ///< 0 to 255; EOF behind the last one
    void skip(std::uint64_t bytes);
    std::string read_text();            ///< all that remains
    std::string peek(std::size_t most); ///< the next bytes, to be read again; fewer at the end
    int descriptor() const { return ::fileno(file_.get()); }

  private:
    InputFile(FileHandle file, std::string name, Fault fault);
    void take_size();
    void seek(std::uint64_t position);

    FileHandle file_;
    std::uint64_t size_ = 0;
    std::timespec written_{}; ///< last, when it was opened
    std::uint64_t position_ = 0;
};

} // namespace bowhist
