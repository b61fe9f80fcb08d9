#pragma once

#include <bowhist/bench/output.hpp>
#include <bowhist/ops/image_batch.hpp>

#include <memory>
#include <vector>

namespace bowhist {

/// How far a result may be from the reference: the sum of both parts. Nothing: not at all.
struct Tolerance {
    double absolute = 0;
    double relative = 0; ///< of the reference
};

/// An output in a device's memory: of float, uint8 or uint32. Its padding is nobody's concern.
template <typename T>
class DeviceOutput : public Output {
  public:
    /// `expected` has no padding.
    DeviceOutput(std::shared_ptr<Device> device, DeviceImages<T> out,
                 std::shared_ptr<const std::vector<T>> expected, Tolerance tolerance = {});

    Shape shape() const override { return {out_.rows(), out_.width, out_.height}; }
    /// Floats become NaN; integers, any of which may be right elsewhere, the complement of what is
    /// right there.
    void poison(const Area &area) override;
    std::uint64_t mismatches() override;

  private:
    std::vector<T> download() const;
    bool fits(T found, T right) const;

    std::shared_ptr<Device> device_;
    DeviceImages<T> out_;
    std::shared_ptr<const std::vector<T>> expected_;
    Tolerance tolerance_;
};

} // namespace bowhist
