#pragma once

#include <bowhist/core/error.hpp>
#include <bowhist/io/file_handle.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bowhist {

/// A known number of bytes, read from the first to the last: a file, or an entry of an archive. It
/// has a name and a fault for its errors.
class ByteSource {
  public:
    ByteSource(std::string name, Fault fault) : name_(std::move(name)), fault_(fault) {}
    virtual ~ByteSource() = default;
    ByteSource(const ByteSource &) = delete;
    ByteSource &operator=(const ByteSource &) = delete;

    virtual std::uint64_t remaining() const = 0; ///< bytes, as the file system counts them

    /// Fills `into`. @throws Error when too few bytes remain
    virtual void read(std::span<std::byte> into) = 0;

    const std::string &name() const { return name_; } ///< printable

    /// Throws Error{fault} "NAME: what", with the values in it.
    template <typename... Values>
    [[noreturn]] void fail(fmt::format_string<Values...> what, Values &&...values) const {
        throw Error(fault_, name_ + ": " + fmt::format(what, std::forward<Values>(values)...));
    }

  private:
    std::string name_;
    Fault fault_;
};

/// `count` values, all zero. @throws Error when memory does not suffice
template <typename Container>
Container allocate(const ByteSource &source, std::uint64_t count) {
    using Value = typename Container::value_type;
    try {
        return Container(count, Value{});
    } catch (const std::bad_alloc &) {
        source.fail("needs {} bytes of memory at once", count * sizeof(Value));
    }
}

/// The next `count` values. @throws Error, before it allocates where too few bytes remain
template <typename Value>
std::vector<Value> read_values(ByteSource &source, std::uint64_t count) {
    if (count > source.remaining() / sizeof(Value)) source.fail("ends too early");
    auto values = allocate<std::vector<Value>>(source, count);
    source.read(std::as_writable_bytes(std::span(values)));
    return values;
}

/// The next value.
template <typename Value>
Value read_value(ByteSource &source) {
    Value value{};
    source.read(std::as_writable_bytes(std::span(&value, 1)));
    return value;
}

/// Whether the path leads to no file. A path that cannot be examined counts as present: opening it
/// then reports the error.
bool is_missing(const std::filesystem::path &path);

/// Belongs before standard input is read: a closed one must not pass for an empty one.
/// @throws Error{fault}
void require_standard_input(Fault fault);

/// A regular file, opened for reading. Anything else is refused at once: a pipe would block, a
/// directory has no bytes.
class InputFile : public ByteSource {
  public:
    /// @throws Error{fault} with the path and the reason
    InputFile(const std::filesystem::path &path, Fault fault);

    /// Standard input of any kind, copied to a nameless file first, so that its size is known.
    /// @throws Error{fault}; Fault::interrupted when a signal came meanwhile
    static InputFile standard_input(Fault fault);

    /// A nameless file with these bytes, in memory. @param name  printable, for errors
    static InputFile in_memory(std::string_view bytes, std::string name, Fault fault);

    std::uint64_t size() const { return size_; } ///< bytes, when it was opened
    std::uint64_t remaining() const override { return position_ < size_ ? size_ - position_ : 0; }
    void read(std::span<std::byte> into) override;
    /// Reads from `position` on and leaves the file's own position alone; many threads may.
    /// @throws Error of the file's fault
    void read_at(std::uint64_t position, std::span<std::byte> into) const;
    /// Reads past the system's cache. `position`, and size and place of `into`, are multiples of
    /// direct_block. Many threads may.
    /// @return the number of bytes read: fewer at the end of the file, 0 where the file system
    ///         cannot do so
    std::size_t read_directly(std::uint64_t position, std::span<std::byte> into) const;
    static constexpr std::size_t direct_block = 4096;
    /// Lets the system drop these bytes from its cache. A hint; nothing fails.
    void let_go(std::uint64_t position, std::uint64_t size) const;
    /// @throws Error of the file's fault when it was written to since it was opened
    void require_unchanged() const;
    void skip(std::uint64_t bytes) { seek(position_ + bytes); }
    void seek(std::uint64_t position);  ///< of the next byte to read
    std::string read_text();            ///< all that remains
    std::string peek(std::size_t most); ///< the next bytes, to be read again; fewer at the end
    int descriptor() const { return ::fileno(file_.get()); }

  private:
    InputFile(FileHandle file, std::string name, Fault fault);
    void take_size();
    FileHandle file_;
    std::uint64_t size_ = 0;
    std::timespec written_{}; ///< last, when it was opened
    std::uint64_t position_ = 0;
};

} // namespace bowhist
