#pragma once

#include <bowhist/core/error.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string>
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

} // namespace bowhist
