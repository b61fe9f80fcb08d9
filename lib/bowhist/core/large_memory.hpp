#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>

namespace bowhist {

/// Memory for numbers, aligned to 64 bytes, in large pages where the system has them: their first
/// use costs little. It is not initialized.
template <typename Number>
class LargeMemory {
  public:
    LargeMemory() = default;
    /// @throws std::bad_alloc
    explicit LargeMemory(std::size_t count) {
        const std::size_t bytes = count * sizeof(Number);
        const std::size_t page = bytes >= large_page ? large_page : small_page;
        const std::size_t size = (bytes + page) / page * page;
        numbers_.reset(static_cast<Number *>(std::aligned_alloc(page, size)));
        if (!numbers_) throw std::bad_alloc();
        if (page == large_page) ::madvise(numbers_.get(), size, MADV_HUGEPAGE); // a hint
    }

    Number *get() { return numbers_.get(); }
    const Number *get() const { return numbers_.get(); }

  private:
    static constexpr std::size_t small_page = 64;
    static constexpr std::size_t large_page = std::size_t{2} << 20;
    struct Free {
        void operator()(Number *numbers) const { std::free(numbers); }
    };
    std::unique_ptr<Number[], Free> numbers_;
};

/// Deletes what a C library made, by the library's own function: for std::unique_ptr.
template <auto release>
struct Release {
    template <typename Object>
    void operator()(Object *object) const {
        release(object);
    }
};

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
