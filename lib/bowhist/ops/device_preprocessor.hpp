#pragma once

#include <bowhist/core/border.hpp>
#include <bowhist/core/image.hpp>
#include <bowhist/core/preprocessing.hpp>
#include <bowhist/ops/gaussian.hpp>

namespace bowhist {

/// Preprocesses pictures on a device of its own: equalise, blur, filter. Between the steps values
/// are float32; the result is rounded and held in 0 … 255.
///
/// A filter whose weights sum to zero (a gradient, a Laplacian) answers with both signs around
/// zero: of such the absolute value is taken, so that edges are bright whichever way they go.
///
/// Not thread-safe, as its device is not.
class DevicePreprocessor {
  public:
    /// @param border  for the filter; equalising needs none and the blur goes on with the
    ///                outermost pixel
    /// @throws Error{Fault::usage} for a sigma or a filter out of range, before a device is opened;
    ///         Error{Fault::device}
    DevicePreprocessor(const DeviceOptions &device, Preprocessing steps,
                       Border border = Border::reflect);

    /// A picture of the same size.
    Image run(const Image &image);

    /// Where it runs.
    const DeviceInfo &device() const { return device_.info(); }

  private:
    DeviceImages<float> blurred(const DeviceImages<float> &pixels);
    DeviceImages<float> filtered(const DeviceImages<float> &pixels);

    Preprocessing steps_;
    Border border_;
    Device device_;
    GaussianScratch scratch_;
};

} // namespace bowhist
