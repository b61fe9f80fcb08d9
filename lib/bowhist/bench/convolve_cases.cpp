#include <bowhist/bench/convolve_cases.hpp>
#include <bowhist/bench/picture_batch.hpp>
#include <bowhist/bench/unseparable.hpp>
#include <bowhist/ops/convolve_intensity.hpp>
#include <bowhist/ops/convolve_separable.hpp>
#include <bowhist/ops/named_filter.hpp>

#include <fmt/format.h>

#include <cmath>

namespace bowhist {
namespace {

constexpr std::size_t most_side = 1024; // pixels
constexpr double tolerance = 1e-5;      // as in convolve.hpp
constexpr std::size_t sampled = 64;     // pixels that are checked

struct Convolution {
    std::shared_ptr<Device> device;
    PictureBatch pictures;
    DeviceImages<float> out;
    Filter filter;

    double pixels() const { return static_cast<double>(pictures.values.size()); }
};

std::shared_ptr<Convolution> make_convolution(const Scene &scene, const Filter &filter) {
    const std::size_t side = picture_side(scene, most_side);
    PictureBatch pictures = make_pictures(scene, side);
    const auto out = allocate_images<float>(*scene.device, side, side, pictures.in.count);
    return std::make_shared<Convolution>(
        Convolution{scene.device, std::move(pictures), out, filter});
}

std::size_t reflected(long place, long size) {
    while (place < 0 || place >= size) place = place < 0 ? -place : 2 * (size - 1) - place;
    return static_cast<std::size_t>(place);
}

/// Whether a pixel of the last picture is what float64 says.
bool is_right(const Convolution &what, std::size_t x, std::size_t y, double found) {
    const std::size_t side = what.out.width;
    const std::size_t first_row = (what.out.count - 1) * side;
    const auto radius = static_cast<long>(what.filter.width / 2);
    double sum = 0;
    double magnitude = 0;
    std::size_t weight = 0;
    for (long j = -radius; j <= radius; ++j)
        for (long i = -radius; i <= radius; ++i) {
            const std::size_t row = reflected(static_cast<long>(y) + j, static_cast<long>(side));
            const std::size_t column = reflected(static_cast<long>(x) + i, static_cast<long>(side));
            const double term = static_cast<double>(what.filter.weights[weight++]) *
                                what.pictures.values[(first_row + row) * side + column];
            sum += term;
            magnitude += std::abs(term);
        }
    return std::abs(found - sum) <= tolerance * magnitude;
}

std::uint64_t count_mismatches(const Convolution &what) {
    std::vector<float> values(what.out.elements());
    what.device->download(std::span(values), what.out.pixels);
    const std::size_t side = what.out.width;
    std::uint64_t mismatches = 0;
    for (std::size_t i = 0; i < sampled; ++i) {
        const std::size_t x = i * (side - 1) / (sampled - 1);
        const std::size_t y = i * 397 % side;
        const std::size_t row = (what.out.count - 1) * side + y;
        if (!is_right(what, x, y, values[row * side + x])) ++mismatches;
    }
    return mismatches;
}

/// By the textbook, for each byte that a way loads from global memory.
std::optional<double> predicted_operations_per_byte(ConvolveMethod method, const Device &device,
                                                    const Filter &filter) {
    switch (method) {
    case ConvolveMethod::basic:
        return untiled_operations_per_byte(true);
    case ConvolveMethod::constant:
        return untiled_operations_per_byte(false);
    case ConvolveMethod::tiled_input:
        return tiled_operations_per_byte(square_tile(device), filter.width, filter.height);
    default:
        return std::nullopt;
    }
}

/// What the kernel's loops ask for: those loads, the weights out of constant memory, and each pixel
/// written.
std::optional<double> kernel_bytes(ConvolveMethod method, const Filter &filter, const Work &work) {
    if (!work.predicted_operations_per_byte) return std::nullopt;
    const auto weights = static_cast<double>(filter.weights.size());
    return work.operations / *work.predicted_operations_per_byte + work.bytes_written +
           (method == ConvolveMethod::basic ? 0 : work.bytes_written * weights);
}

Case convolution_case(const std::string &operation, const std::string &level,
                      const std::shared_ptr<Convolution> &what, double operations,
                      const std::function<void()> &launch) {
    Case row{{operation, level, Place::device, what->device->info().name, what->out.rows(), 0,
              what->out.width}};
    row.work.bytes_read = row.work.bytes_written = sizeof(float) * what->pixels();
    row.work.operations = operations * what->pixels();
    row.run = [=] { return time_launches(*what->device, launch); };
    row.check = [=] {
        launch();
        return Findings{{}, count_mismatches(*what)};
    };
    return row;
}

std::vector<Case> no_device(const std::string &operation) {
    return {not_here({operation, "all", Place::device}, "there is no OpenCL device")};
}

std::vector<Case> square_cases(const Scene &scene, std::size_t side) {
    const std::string operation = fmt::format("convolve-{0}x{0}", side);
    if (!scene.device) return no_device(operation);
    const auto what = make_convolution(scene, unseparable(side));
    std::vector<Case> cases;
    for (const ConvolveMethod method : convolve_methods()) {
        if (method == ConvolveMethod::separable) continue; // has rows of its own
        const auto operations = static_cast<double>(2 * side * side);
        Case row = convolution_case(operation, name_of(method), what, operations, [=] {
            convolve(*what->device, what->pictures.in, what->out, what->filter, {.method = method});
        });
        row.work.predicted_operations_per_byte =
            predicted_operations_per_byte(method, *what->device, what->filter);
        row.work.kernel_bytes = kernel_bytes(method, what->filter, row.work);
        if (const auto why = obstacle(method, *what->device, what->filter))
            row = not_here(row.subject, *why);
        cases.push_back(row);
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
    Case two_passes = convolution_case(operation, "two-passes", what, operations, [=] {
        convolve_rows(*what->device, what->pictures.in, between, weights);
        convolve_columns(*what->device, between, what->out, weights);
    });
    if (const auto why = two_pass_obstacle(*what->device, length))
        two_passes = not_here(two_passes.subject, *why);
    return {one_launch, two_passes};
}

} // namespace bowhist
