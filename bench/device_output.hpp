#pragma once

#include "bench/rounds.hpp"

#include <bowhist/ops/image_batch.hpp>

#include <memory>
#include <vector>

namespace bowhist {

/// How far a result may be from the reference: the sum of both parts. Zero: equal bit for bit.
struct Tolerance {
    double absolute = 0;
    double relative = 0; ///< of the reference
};

template <typename T>
using Expected = std::shared_ptr<const std::vector<T>>;

/// An output with a reference for each element, of float, uint8 or uint32, wherever it lies.
template <typename T>
class ExpectedOutput : public Output {
  public:
    Shape shape() const override { return shape_; }
    /// Floats become NaN; integers the complement of the right value.
    void poison(const Area &area) override;
    std::uint64_t mismatches() override;
    const std::vector<T> &expected() const { return *expected_; }

  protected:
    /// @param expected  without padding
    /// @param pitch  elements from one row of the output to the next; padding is not compared
    ExpectedOutput(const Shape &shape, std::size_t pitch, Expected<T> expected, Tolerance tolerance)
        : shape_(shape), pitch_(pitch), expected_(std::move(expected)), tolerance_(tolerance) {}

  private:
    virtual std::vector<T> read() const = 0;
    virtual void write(const std::vector<T> &values) = 0;
    bool fits(T found, T right) const;

    Shape shape_;
    std::size_t pitch_;
    Expected<T> expected_;
    Tolerance tolerance_;
};

/// In a device's memory.
template <typename T>
class DeviceOutput : public ExpectedOutput<T> {
  public:
    DeviceOutput(std::shared_ptr<Device> device, DeviceImages<T> out, Expected<T> expected,
                 Tolerance tolerance = {})
        : ExpectedOutput<T>({out.rows(), out.width, out.height}, out.pitch, std::move(expected),
                            tolerance),
          device_(std::move(device)), out_(std::move(out)) {}

  private:
    std::vector<T> read() const override {
        std::vector<T> values(out_.elements());
        device_->download(std::span(values), out_.pixels);
        return values;
    }
    void write(const std::vector<T> &values) override { device_->upload<T>(out_.pixels, values); }

    std::shared_ptr<Device> device_;
    DeviceImages<T> out_;
};

template <typename T>
std::shared_ptr<Output> device_output(const std::shared_ptr<Device> &device,
                                      const DeviceImages<T> &out, std::vector<T> expected,
                                      Tolerance tolerance = {}) {
    return std::make_shared<DeviceOutput<T>>(
        device, out, std::make_shared<const std::vector<T>>(std::move(expected)), tolerance);
}

/// In the host's memory: rows of `width` elements, each an image. Ways write to `found`.
template <typename T>
class HostOutput : public ExpectedOutput<T> {
  public:
    HostOutput(std::size_t width, const Expected<T> &expected)
        : ExpectedOutput<T>({expected->size() / width, width, 1}, width, expected, {}),
          found(expected->size()) {}

    std::vector<T> found;

  private:
    std::vector<T> read() const override { return found; }
    void write(const std::vector<T> &values) override { found = values; }
};

} // namespace bowhist
