#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace bowhist {

/// A file's bytes, read without ever leaving them: beyond the end everything is 0, so that a
/// header reader needs no check before each field.
class Bytes {
  public:
    explicit Bytes(std::string_view bytes) : bytes_(bytes) {}

    std::uint64_t size() const { return bytes_.size(); }
    bool holds(std::uint64_t offset, std::uint64_t length) const {
        return offset <= size() && length <= size() - offset;
    }
    std::string_view text(std::uint64_t offset, std::size_t length) const {
        return offset < size() ? bytes_.substr(offset, length) : std::string_view{};
    }
    std::uint8_t at(std::uint64_t offset) const {
        return offset < size() ? static_cast<std::uint8_t>(bytes_[offset]) : std::uint8_t{0};
    }
    std::uint64_t big(std::uint64_t offset, int count) const {
        std::uint64_t value = 0;
        for (int i = 0; i < count; ++i) value = value << 8 | at(offset + i);
        return value;
    }
    std::uint64_t little(std::uint64_t offset, int count) const {
        std::uint64_t value = 0;
        for (int i = count; i-- > 0;) value = value << 8 | at(offset + i);
        return value;
    }

  private:
    std::string_view bytes_;
};

/// Products and sums of numbers that a file says, at most the largest that there is.
inline std::uint64_t saturated_product(std::uint64_t a, std::uint64_t b) {
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    return b > 0 && a > most / b ? most : a * b;
}
inline std::uint64_t saturated_sum(std::uint64_t a, std::uint64_t b) {
    return a + b < a ? std::numeric_limits<std::uint64_t>::max() : a + b;
}

} // namespace bowhist
