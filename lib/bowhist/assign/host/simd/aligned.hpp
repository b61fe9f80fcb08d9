#pragma once

#include <hwy/aligned_allocator.h>

#include <cstddef>
#include <new>

namespace bowhist {

/// Memory for whole vectors, as yet unset. @throws std::bad_alloc, where Highway returns null
template <typename Value>
hwy::AlignedFreeUniquePtr<Value[]> allocate_aligned(std::size_t count) {
    auto memory = hwy::AllocateAligned<Value>(count);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

} // namespace bowhist
