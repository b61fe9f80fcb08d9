#pragma once

#include <cstdint>
#include <string_view>

namespace bowhist {

/// Orders in which a buffer is read, as in cl/bench/memory_walks.cl.
enum class MemoryWalk {
    contiguous, ///< neighbours side by side
    strided,    ///< neighbours a stride apart
    scattered   ///< anywhere
};

/// What the kernel's -DWALK takes.
constexpr std::string_view name_of(MemoryWalk walk) {
    switch (walk) {
    case MemoryWalk::strided:
        return "STRIDED";
    case MemoryWalk::scattered:
        return "SCATTERED";
    default:
        return "CONTIGUOUS";
    }
}

/// Where reading number t of `size` goes: each place once. `size`, four or more, and `stride` are
/// powers of two, the stride no larger.
std::uint32_t place(MemoryWalk walk, std::uint32_t t, std::uint32_t size, std::uint32_t stride);

} // namespace bowhist
