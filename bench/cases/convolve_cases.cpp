#include "bench/cases/cases.hpp"
#include "bench/cases/filtered.hpp"
#include "bench/cases/test_images.hpp"
#include "bench/device_case.hpp"

#include <bowhist/ops/convolve_bytes.hpp>
#include <bowhist/ops/convolve_separable.hpp>
#include <bowhist/ops/named_filter.hpp>

#include <limits>

namespace bowhist {
namespace {

constexpr std::size_t most_side = 1024; // pixels
constexpr double tolerance = 1e-5;      // as in convolve.hpp

struct Convolution {
    std::shared_ptr<Device> device;
    DeviceImages<float> in;
    DeviceImages<float> out;
    Filter filter;
    std::shared_ptr<Output> output;

    /// @param operations  a pixel
    Case row(const std::string &level, std::size_t operations, const std::function<void()> &launch,
             const std::function<void()> &forget = {}) const {
        const auto pixels = static_cast<double>(in.elements());
        const Work work{.bytes_read = sizeof(float) * pixels,
                        .bytes_written = sizeof(float) * pixels,
                        .operations = static_cast<double>(operations) * pixels};
        return device_case(image_row(in, work, level), device, launch, output, forget);
    }
};

/// No weight and no pixel is negative, so the sum of magnitudes in convolve.hpp is the result.
Convolution make_convolution(const Scene &scene, const Filter &filter) {
    const auto images = make_images<float>(scene, most_side);
    const DeviceImages<float> in = images->in;
    const auto out = allocate_images<float>(*scene.device, in.width, in.height, in.count);
    return {scene.device, in, out, filter,
            device_output(scene.device, out,
                          filtered(images->values, in.width, filter, Border::reflect),
                          Tolerance{0, tolerance})};
}

/// The textbook's operations for each byte that a way loads from global memory.
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

/// A method in tiles of this side, which its name ends in; 0: the device's own.
Case square_case(const Convolution &what, ConvolveMethod method, std::size_t tile) {
    const ConvolveOptions options{.method = method, .square = tile};
    Case row = what.row(name_of(method) + (tile > 0 ? std::to_string(tile) : ""),
                        2 * what.filter.weights.size(),
                        [=] { convolve(*what.device, what.in, what.out, what.filter, options); });
    if (const auto why = obstacle(method, *what.device, what.filter, options))
        return not_here(row.subject, *why);
    row.work.predicted_operations_per_byte = predicted_operations_per_byte(
        method, tile > 0 ? tile : square_tile(*what.device), what.filter);
    row.work.kernel_bytes = convolve_bytes(method, *what.device, what.in, what.filter, options);
    return row;
}

} // namespace

std::vector<Case> convolve_cases(const Scene &scene, std::size_t filter_side) {
    const Convolution what = make_convolution(scene, unseparable(filter_side));
    const std::vector<std::size_t> own = {0};
    std::vector<Case> cases;
    for (const ConvolveMethod method : convolve_methods) {
        if (method == ConvolveMethod::separable) continue; // has rows of its own
        const bool tiled =
            method == ConvolveMethod::tiled_input || method == ConvolveMethod::cached;
        for (const std::size_t tile :
             tiled && !scene.request.tiles.empty() ? scene.request.tiles : own)
            cases.push_back(square_case(what, method, tile));
    }
    return cases;
}

std::vector<Case> convolve_separable_cases(const Scene &scene) {
    constexpr std::size_t length = 15;
    constexpr std::size_t operations = 2 * 2 * length;
    const std::vector<float> weights = gaussian_weights(length, 2.5);
    const Convolution what = make_convolution(scene, product({weights, weights}));
    const auto between =
        allocate_images<float>(*what.device, what.in.width, what.in.height, what.in.count);
    const Case one_launch = what.row("one-launch", operations, [=] {
        convolve_separable(*what.device, what.in, what.out, {weights, weights});
    });
    Case two_passes = what.row(
        "two-passes", operations,
        [=] {
            convolve_rows(*what.device, what.in, between, weights);
            convolve_columns(*what.device, between, what.out, weights);
        },
        [=] {
            what.device->fill(between.pixels, std::numeric_limits<float>::quiet_NaN(),
                              between.elements());
        });
    if (const auto why = two_pass_obstacle(*what.device, length))
        two_passes = not_here(two_passes.subject, *why);
    return {one_launch, two_passes};
}

} // namespace bowhist
