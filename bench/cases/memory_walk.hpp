#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

namespace bowhist {

/// Orders in which a buffer is read, as in cl/bench/memory_walks.cl.
enum class MemoryWalk {
    contiguous, ///< neighbors side by side
    strided,    ///< neighbors a stride apart
    scattered,  ///< anywhere
    same        ///< a stride of neighbors goes to one place
};

/// As -DWALK of the kernel.
constexpr std::string_view name_of(MemoryWalk walk) {
    constexpr std::array names = {"CONTIGUOUS", "STRIDED", "SCATTERED", "SAME"};
    return names[static_cast<std::size_t>(walk)];
}

/// The place of read number t of `size`: each place once (same: some places often). `size`, four or
/// more, and `stride` are powers of two, the stride no larger.
inline std::uint32_t place(MemoryWalk walk, std::uint32_t t, std::uint32_t size,
                           std::uint32_t stride) {
    switch (walk) {
    case MemoryWalk::strided: {
        const std::uint32_t round = size / stride;
        return t % round * stride + t / round;
    }
    case MemoryWalk::scattered: {
        const int half = (std::bit_width(size) - 1) / 2;
        std::uint32_t p = t;
        for (const std::uint32_t factor : {0x9E3779B1U, 0x85EBCA6BU}) {
            p ^= p >> half;
            p = p * factor % size;
        }
        return p ^ p >> half;
    }
    case MemoryWalk::same:
        return t / stride;
    default:
        return t;
    }
}

} // namespace bowhist
