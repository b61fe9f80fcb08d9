#include <bowhist/bench/memory_walk.hpp>

#include <bit>

namespace bowhist {

std::uint32_t place(MemoryWalk walk, std::uint32_t t, std::uint32_t size, std::uint32_t stride) {
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
