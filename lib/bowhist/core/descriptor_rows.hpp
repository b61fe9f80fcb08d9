#pragma once

#include <bowhist/core/descriptors.hpp>

#include <cstddef>
#include <functional>
#include <span>

namespace bowhist {

/// Descriptors that are read repeatedly, a part at a time, in memory or in files.
class DescriptorRows {
  public:
    virtual ~DescriptorRows() = default;

    virtual std::size_t size() const = 0;
    virtual std::size_t dimensions() const = 0;

    /// Receives a part: the number of its first row, and its rows end to end, valid until it
    /// returns.
    using Take = std::function<void(std::size_t first, std::span<const float> values)>;

    /// Hands over all rows, in order. @throws Error when they cannot be read; what `take` throws
    virtual void read(const Take &take) const = 0;

    /// All of them, if they lie in memory; else null.
    virtual const Descriptors *in_memory() const { return nullptr; }
};

/// Descriptors in memory, as one part. Borrowed: they outlive this object.
class RowsInMemory : public DescriptorRows {
  public:
    explicit RowsInMemory(const Descriptors &descriptors) : descriptors_(descriptors) {}
    explicit RowsInMemory(Descriptors &&) = delete;

    std::size_t size() const override { return descriptors_.size(); }
    std::size_t dimensions() const override { return descriptors_.dimensions; }
    void read(const Take &take) const override { take(0, descriptors_.values); }
    const Descriptors *in_memory() const override { return &descriptors_; }

  private:
    const Descriptors &descriptors_;
};

} // namespace bowhist
