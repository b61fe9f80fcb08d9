#include <bowhist/pipeline/grey_sums.hpp>

#include <bowhist/ops/histogram256.hpp>
#include <bowhist/ops/integral.hpp>

namespace bowhist {
namespace {

/// An image on a device of its own.
struct Uploaded {
    Device device;
    DeviceImages<std::uint8_t> pixels;

    Uploaded(const Image &image, const PreprocessorOptions &options)
        : device({.selector = options.device, .kernel_dir = options.kernel_dir}),
          pixels(allocate_images<std::uint8_t>(device, static_cast<std::size_t>(image.width),
                                               static_cast<std::size_t>(image.height))) {
        device.upload<std::uint8_t>(pixels.pixels, image.pixels);
    }
};

} // namespace

std::vector<std::uint32_t> grey_histogram(const Image &image, const PreprocessorOptions &options) {
    Uploaded on(image, options);
    const auto counts = on.device.allocate<std::uint32_t>(256);
    histogram256(on.device, on.pixels, counts, histogram_method_for(on.device));
    return downloaded(on.device, counts);
}

std::vector<std::uint64_t> integral_image(const Image &image, const PreprocessorOptions &options) {
    Uploaded on(image, options);
    const auto sums =
        allocate_images<std::uint32_t>(on.device, on.pixels.width + 1, on.pixels.height + 1);
    integral(on.device, on.pixels, sums, integral_method_for(on.device));
    const std::vector<std::uint32_t> wrapped = downloaded(on.device, sums.pixels);
    // A row adds less than 2³² to the sum above: the difference is right where both have wrapped.
    std::vector<std::uint64_t> whole(wrapped.size(), 0);
    for (std::size_t i = sums.width; i < whole.size(); ++i)
        whole[i] = whole[i - sums.width] + (wrapped[i] - wrapped[i - sums.width]);
    return whole;
}

} // namespace bowhist
