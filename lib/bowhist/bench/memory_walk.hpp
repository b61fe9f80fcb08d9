#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace bowhist {

/// Orders in which a buffer is read, as in cl/bench/memory_walks.cl.
enum class MemoryWalk {
    contiguous, ///< neighbours side by side
    strided,    ///< neighbours a stride apart
    scattered,  ///< anywhere
    same        ///< as many as a stride, side by side, go to one place
};

/// What the kernel's -DWALK takes.
constexpr std::string_view name_of(MemoryWalk walk) {
    constexpr std::array names = {"CONTIGUOUS", "STRIDED", "SCATTERED", "SAME"};
    return names[static_cast<std::size_t>(walk)];
}

/// Where reading number t of `size` goes: each place once (same: some places often). `size`, four
/// or more, and `stride` are powers of two, the stride no larger.
std::uint32_t place(MemoryWalk walk, std::uint32_t t, std::uint32_t size, std::uint32_t stride);

} // namespace bowhist
