#pragma once

#include "bench/output.hpp"

#include <bowhist/ops/image_batch.hpp>

#include <memory>
#include <vector>

namespace bowhist {

/// How far a result may be from the reference: the sum of both parts. Nothing: not by a bit.
struct Tolerance {
    double absolute = 0;
    double relative = 0; ///< of the reference
};

/// An output of which each element is known: of float, uint8 or uint32, wherever it lies.
template <typename T>
class ExpectedOutput : public Output {
  public:
    using Expected = std::shared_ptr<const std::vector<T>>;

    Shape shape() const override { return shape_; }
    /// Floats become NaN; integers, any of which may be right elsewhere, the complement of what is
    /// right there.
    void poison(const Area &area) override;
    std::uint64_t mismatches() override;
    const std::vector<T> &expected() const { return *expected_; }

  protected:
    /// `expected` has no padding; what lies between the rows, `pitch` apart, is nobody's concern.
    ExpectedOutput(const Shape &shape, std::size_t pitch, Expected expected, Tolerance tolerance)
        : shape_(shape), pitch_(pitch), expected_(std::move(expected)), tolerance_(tolerance) {}

  private:
    virtual std::vector<T> read() const = 0;
    virtual void write(const std::vector<T> &values) = 0;
    bool fits(T found, T right) const;

    Shape shape_;
    std::size_t pitch_;
    Expected expected_;
    Tolerance tolerance_;
};

/// In a device's memory.
template <typename T>
class DeviceOutput : public ExpectedOutput<T> {
  public:
    DeviceOutput(std::shared_ptr<Device> device, DeviceImages<T> out,
                 typename ExpectedOutput<T>::Expected expected, Tolerance tolerance = {})
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

/// In the host's: rows of `width` elements, each a picture.
template <typename T>
class HostOutput : public ExpectedOutput<T> {
  public:
    HostOutput(std::shared_ptr<std::vector<T>> out, std::size_t width,
               typename ExpectedOutput<T>::Expected expected)
        : ExpectedOutput<T>({out->size() / width, width, 1}, width, std::move(expected), {}),
          out_(std::move(out)) {}

  private:
    std::vector<T> read() const override { return *out_; }
    void write(const std::vector<T> &values) override { *out_ = values; }

    std::shared_ptr<std::vector<T>> out_;
};

} // namespace bowhist
