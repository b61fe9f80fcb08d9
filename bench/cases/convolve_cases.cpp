#include "bench/cases/cases.hpp"
#include "bench/cases/filtered.hpp"
#include "bench/cases/picture_batch.hpp"
#include "bench/device_case.hpp"
#include "bench/device_output.hpp"

#include <bowhist/ops/convolve_bytes.hpp>
#include <bowhist/ops/convolve_separable.hpp>
#include <bowhist/ops/named_filter.hpp>

#include <fmt/format.h>

#include <limits>

namespace bowhist {
namespace {

constexpr std::size_t most_side = 1024; // pixels
constexpr double tolerance = 1e-5;      // as in convolve.hpp

struct Convolution {
    std::shared_ptr<Device> device;
    PictureBatch pictures;
    DeviceImages<float> out;
    Filter filter;
    std::shared_ptr<Output> output;

    double pixels() const { return static_cast<double>(pictures.values.size()); }
};

std::shared_ptr<Convolution> make_convolution(const Scene &scene, const Filter &filter) {
    const std::size_t side = picture_side(scene, most_side);
    PictureBatch pictures = make_pictures(scene, side);
    const auto out = allocate_images<float>(*scene.device, side, side, pictures.in.count);
    // No weight and no pixel is negative, so that the result is what convolve.hpp measures by.
    const auto output =
        std::make_shared<DeviceOutput<float>>(scene.device, out,
                                              std::make_shared<const std::vector<float>>(filtered(
                                                  pictures.values, side, filter, Border::reflect)),
                                              Tolerance{0, tolerance});
    return std::make_shared<Convolution>(
        Convolution{scene.device, std::move(pictures), out, filter, output});
}

/// By the textbook, for each byte that a way loads from global memory.
std::optional<double> predicted_operations_per_byte(ConvolveMethod method, std::size_t tile,
                                                    const Filter &filter) {
    switch (method) {
    case ConvolveMethod::basic:
        return untiled_operations_per_byte(true);
    case ConvolveMethod::constant:
        return untiled_operations_per_byte(false);
    case ConvolveMethod::tiled_input:
        return tiled_operations_per_byte(tile, filter.width, filter.height);
    default:
        return std::nullopt;
    }
}

Case convolution_case(const std::string &operation, const std::string &level,
                      const std::shared_ptr<Convolution> &what, double operations,
                      const std::function<void()> &launch,
                      const std::function<void()> &forget = {}) {
    Case row{{operation, level, Place::device, what->device->info().name, what->out.rows(), 0,
              what->out.width}};
    row.work.bytes_read = row.work.bytes_written = sizeof(float) * what->pixels();
    row.work.operations = operations * what->pixels();
    return device_case(row, what->device, launch, what->output, forget);
}

/// A method in tiles of the side asked for (0: the device's own), which its name ends in.
Case square_case(const std::string &operation, const std::shared_ptr<Convolution> &what,
                 ConvolveMethod method, std::size_t tile) {
    const ConvolveOptions options{.method = method, .square = tile};
    const std::string level = name_of(method) + (tile > 0 ? std::to_string(tile) : "");
    Case row = convolution_case(
        operation, level, what, static_cast<double>(2 * what->filter.weights.size()),
        [=] { convolve(*what->device, what->pictures.in, what->out, what->filter, options); });
    if (const auto why = obstacle(method, *what->device, what->filter, options))
        return not_here(row.subject, *why);
    row.work.predicted_operations_per_byte = predicted_operations_per_byte(
        method, tile > 0 ? tile : square_tile(*what->device), what->filter);
    row.work.kernel_bytes =
        convolve_bytes(method, *what->device, what->pictures.in, what->filter, options);
    return row;
}

std::vector<Case> square_cases(const Scene &scene, std::size_t side) {
    const std::string operation = fmt::format("convolve-{0}x{0}", side);
    if (!scene.device) return no_device(operation);
    const auto what = make_convolution(scene, unseparable(side));
    const std::vector<std::size_t> own = {0};
    std::vector<Case> cases;
    for (const ConvolveMethod method : convolve_methods) {
        if (method == ConvolveMethod::separable) continue; // has rows of its own
        const bool tiled =
            method == ConvolveMethod::tiled_input || method == ConvolveMethod::cached;
        for (const std::size_t tile :
             tiled && !scene.request.tiles.empty() ? scene.request.tiles : own)
            cases.push_back(square_case(operation, what, method, tile));
    }
    return cases;
}

} // namespace

std::vector<Case> convolve_5x5_cases(const Scene &scene, std::size_t /*k*/) {
    return square_cases(scene, 5);
}

std::vector<Case> convolve_9x9_cases(const Scene &scene, std::size_t /*k*/) {
    return square_cases(scene, 9);
}

std::vector<Case> convolve_separable_cases(const Scene &scene, std::size_t /*k*/) {
    constexpr std::size_t length = 15;
    constexpr double operations = 2 * 2 * length;
    const std::string operation = "separable";
    if (!scene.device) return no_device(operation);
    const std::vector<float> weights = gaussian_weights(length, 2.5);
    const auto what = make_convolution(scene, product({weights, weights}));
    const auto between =
        allocate_images<float>(*what->device, what->out.width, what->out.height, what->out.count);
    Case one_launch = convolution_case(operation, "one-launch", what, operations, [=] {
        convolve_separable(*what->device, what->pictures.in, what->out, {weights, weights});
    });
    Case two_passes = convolution_case(
        operation, "two-passes", what, operations,
        [=] {
            convolve_rows(*what->device, what->pictures.in, between, weights);
            convolve_columns(*what->device, between, what->out, weights);
        },
        [=] {
            what->device->fill(between.pixels, std::numeric_limits<float>::quiet_NaN(),
                               between.elements());
        });
    if (const auto why = two_pass_obstacle(*what->device, length))
        two_passes = not_here(two_passes.subject, *why);
    return {one_launch, two_passes};
}

} // namespace bowhist
