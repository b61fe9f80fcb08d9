#include <bowhist/pipeline/preprocessing.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/ops/convert.hpp>
#include <bowhist/ops/convolve.hpp>
#include <bowhist/ops/equalize.hpp>
#include <bowhist/ops/gaussian.hpp>

#include <cmath>
#include <mutex>

namespace bowhist {
namespace {

Preprocessing checked(Preprocessing steps) {
    if (const auto fault = fault_of(steps)) throw Error(Fault::usage, *fault);
    return steps;
}

/// Whether a flat image becomes zero, whatever its brightness.
bool sums_to_zero(const Filter &filter) {
    double sum = 0;
    double magnitude = 0;
    for (const double weight : filter.weights) {
        sum += weight;
        magnitude += std::abs(weight);
    }
    return std::abs(sum) <= 1e-6 * magnitude;
}

class DevicePreprocessor : public Preprocessor {
  public:
    DevicePreprocessor(const Preprocessing &steps, const PreprocessorOptions &options)
        : steps_(checked(steps)), border_(options.border),
          device_({.selector = options.device, .kernel_dir = options.kernel_dir}) {}

    Image run(const Image &image) override;
    std::string device() const override { return device_.info().name; }

  private:
    DeviceImages<float> blurred(const DeviceImages<float> &pixels);
    DeviceImages<float> filtered(const DeviceImages<float> &pixels);

    Preprocessing steps_;
    Border border_;
    std::mutex mutex_; ///< guards device_ and scratch_
    Device device_;
    GaussianScratch scratch_;
};

DeviceImages<float> DevicePreprocessor::blurred(const DeviceImages<float> &pixels) {
    const auto out = allocate_images<float>(device_, pixels.width, pixels.height, pixels.count);
    gaussian_blur(device_, pixels, steps_.blur_sigma, out, scratch_);
    return out;
}

DeviceImages<float> DevicePreprocessor::filtered(const DeviceImages<float> &pixels) {
    const auto out = allocate_images<float>(device_, pixels.width, pixels.height, pixels.count);
    convolve(device_, pixels, out, steps_.filter, {.border = border_});
    return out;
}

Image DevicePreprocessor::run(const Image &image) {
    if (image.pixels.empty()) return image;
    const std::lock_guard lock(mutex_);
    const auto bytes = allocate_images<std::uint8_t>(device_, static_cast<std::size_t>(image.width),
                                                     static_cast<std::size_t>(image.height));
    device_.upload<std::uint8_t>(bytes.pixels, image.pixels);
    if (steps_.equalize) equalize(device_, bytes, bytes, histogram_method_for(device_));
    const bool filters = !steps_.filter_name.empty();
    if (steps_.blur_sigma != 0 || filters) {
        auto pixels = allocate_images<float>(device_, bytes.width, bytes.height);
        to_floats(device_, bytes, pixels);
        if (steps_.blur_sigma != 0) pixels = blurred(pixels);
        if (filters) pixels = filtered(pixels);
        to_bytes(device_, pixels, bytes,
                 filters && sums_to_zero(steps_.filter) ? Rounding::magnitude : Rounding::clamped);
    }
    Image result{image.width, image.height, std::vector<std::uint8_t>(image.pixels.size())};
    device_.download(std::span(result.pixels), bytes.pixels);
    device_.take_launches(); // else their log grows with every image
    return result;
}

} // namespace

std::shared_ptr<Preprocessor> make_preprocessor(const Preprocessing &steps,
                                                const PreprocessorOptions &options) {
    if (!steps.any()) return nullptr;
    return std::make_shared<DevicePreprocessor>(steps, options);
}

} // namespace bowhist
