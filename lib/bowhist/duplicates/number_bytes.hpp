#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bowhist {

/// Numbers, eight bytes each, little-endian.
class NumberWriter {
  public:
    void operator()(const std::size_t &number) { add(number); }
    void operator()(const int &number) { add(static_cast<std::uint64_t>(std::int64_t{number})); }
    void operator()(const double &number) { add(std::bit_cast<std::uint64_t>(number)); }
    std::string bytes;

  private:
    void add(std::uint64_t bits) {
        for (int byte = 0; byte < 8; ++byte)
            bytes += static_cast<char>(static_cast<unsigned char>(bits >> (8 * byte)));
    }
};

/// Reads what a NumberWriter wrote. Behind the end all are 0.
class NumberReader {
  public:
    explicit NumberReader(std::string_view bytes) : bytes_(bytes) {}
    void operator()(std::size_t &number) { number = static_cast<std::size_t>(next()); }
    void operator()(int &number) { number = static_cast<int>(next()); }
    void operator()(double &number) { number = std::bit_cast<double>(next()); }
    std::string_view take(std::size_t count) {
        const std::string_view taken = bytes_.substr(0, count);
        bytes_.remove_prefix(taken.size());
        return taken;
    }
    bool is_at_end() const { return bytes_.empty(); }

  private:
    std::uint64_t next() {
        std::uint64_t bits = 0;
        int byte = 0;
        for (const char c : take(8))
            bits |= std::uint64_t{static_cast<unsigned char>(c)} << (8 * byte++);
        return bits;
    }
    std::string_view bytes_;
};

} // namespace bowhist
