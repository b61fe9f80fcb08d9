#include <bowhist/core/descriptors.hpp>

#include <algorithm>

namespace bowhist {
namespace {

/// Reads all rows, and hands over some.
class SomeRows : public DescriptorRows {
  public:
    SomeRows(const DescriptorRows &all, std::size_t first, std::size_t count)
        : all_(all), first_(first), count_(count) {}

    std::size_t size() const override { return count_; }
    std::size_t dimensions() const override { return all_.dimensions(); }
    void read(const Take &take) const override {
        const std::size_t end = first_ + count_;
        all_.read([&](std::size_t at, std::span<const float> values) {
            const std::size_t rows = values.size() / dimensions();
            const std::size_t from = std::max(at, first_);
            const std::size_t to = std::min(at + rows, end);
            if (from < to)
                take(from - first_,
                     values.subspan((from - at) * dimensions(), (to - from) * dimensions()));
        });
    }

  private:
    const DescriptorRows &all_;
    std::size_t first_;
    std::size_t count_;
};

class SomeInMemory : public DescriptorRows {
  public:
    SomeInMemory(std::span<const float> values, std::size_t dimensions)
        : values_(values), dimensions_(dimensions) {}

    std::size_t size() const override { return values_.size() / dimensions_; }
    std::size_t dimensions() const override { return dimensions_; }
    void read(const Take &take) const override { take(0, values_); }
    bool any_thread_reads() const override { return true; }

  private:
    std::span<const float> values_;
    std::size_t dimensions_;
};

} // namespace

std::unique_ptr<DescriptorRows> DescriptorRows::range(std::size_t first, std::size_t count) const {
    return std::make_unique<SomeRows>(*this, first, count);
}

std::unique_ptr<DescriptorRows> RowsInMemory::range(std::size_t first, std::size_t count) const {
    const std::size_t dimensions = descriptors_.dimensions;
    return std::make_unique<SomeInMemory>(
        std::span(descriptors_.values).subspan(first * dimensions, count * dimensions), dimensions);
}

} // namespace bowhist
