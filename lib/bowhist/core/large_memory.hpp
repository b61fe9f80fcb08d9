#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <sys/mman.h>

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

} // namespace bowhist
