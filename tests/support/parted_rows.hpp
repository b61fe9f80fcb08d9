#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/error.hpp>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

namespace bowhist::testing {

/// Descriptors that are handed over in parts, each in memory that is then freed.
class PartedRows : public DescriptorRows {
  public:
    PartedRows(const Descriptors &descriptors, std::size_t rows)
        : descriptors_(descriptors), rows_(rows) {}

    std::size_t size() const override { return descriptors_.size(); }
    std::size_t dimensions() const override { return descriptors_.dimensions; }
    void read(const Take &take) const override {
        ++readings_;
        ++readers_;
        const std::shared_ptr<void> ends(nullptr, [this](void *) { --readers_; });
        const std::span<const float> all(descriptors_.values);
        for (std::size_t first = 0; first < size(); first += rows_) {
            if (first / rows_ >= readable_.value_or(size()))
                throw Error(Fault::input, "no more rows");
            const std::size_t count = std::min(rows_, size() - first);
            const auto part = all.subspan(first * dimensions(), count * dimensions());
            take(first, std::vector<float>(part.begin(), part.end()));
        }
    }

    bool any_thread_reads() const override { return any_thread_; }
    void let_any_thread_read() { any_thread_ = true; }

    /// How often all were read.
    std::size_t readings() const { return readings_; }
    /// Those who read now.
    std::size_t readers() const { return readers_; }
    /// Lets each reading fail after that many parts; none: it ends well.
    void fail_after(std::optional<std::size_t> parts) { readable_ = parts; }

  private:
    const Descriptors &descriptors_;
    std::size_t rows_;
    bool any_thread_ = false;
    std::optional<std::size_t> readable_ = {};
    mutable std::atomic<std::size_t> readings_ = 0;
    mutable std::atomic<std::size_t> readers_ = 0;
};

} // namespace bowhist::testing
