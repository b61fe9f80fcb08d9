#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace bowhist {

/// Prefetches the row that lies `ahead` rows behind this one: a hint, which never faults. Only the
/// beginning of a long row: the CPU recognizes the pattern itself.
inline void prefetch_row(const float *row, std::size_t dimensions, std::size_t ahead) {
    constexpr std::size_t line = 64;
    constexpr std::size_t longest = 1024;
    const auto address = reinterpret_cast<std::uintptr_t>(row) + ahead * dimensions * sizeof(float);
    const std::size_t bytes = std::min(longest, dimensions * sizeof(float));
    for (std::size_t at = 0; at < bytes; at += line)
        __builtin_prefetch(reinterpret_cast<const void *>(address + at));
}

/// Prefetches values that are read later, all of them.
template <typename Value>
void prefetch(std::span<const Value> values) {
    constexpr std::uintptr_t line = 64;
    const auto first = reinterpret_cast<std::uintptr_t>(values.data());
    for (std::uintptr_t at = first / line * line; at < first + values.size_bytes(); at += line)
        __builtin_prefetch(reinterpret_cast<const void *>(at));
}

} // namespace bowhist
