#include <bowhist/bench/byte_cases.hpp>
#include <bowhist/bench/device_case.hpp>
#include <bowhist/bench/device_output.hpp>
#include <bowhist/bench/picture_batch.hpp>
#include <bowhist/ops/equalise.hpp>
#include <bowhist/ops/integral.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace bowhist {
namespace {

constexpr std::size_t most_side = 2048; // pixels

/// Noise, and where it lies.
struct BytePictures {
    std::vector<std::uint8_t> values;
    DeviceImages<std::uint8_t> in;
};

/// `result_bytes`: of the largest result, for each pixel, which must fit the device as well.
std::shared_ptr<BytePictures> make_bytes(const Scene &scene, std::size_t result_bytes) {
    Device &device = *scene.device;
    const std::size_t side = picture_side(scene, most_side);
    const std::size_t asked = scene.most_rows() * scene.request.dimensions * sizeof(float);
    const std::size_t fit = device.limits().allocation_bytes / (2 * result_bytes);
    const std::size_t count = std::max<std::size_t>(std::min(asked, fit) / (side * side), 1);
    BytePictures pictures{std::vector<std::uint8_t>(count * side * side),
                          allocate_images<std::uint8_t>(device, side, side, count)};
    for (std::size_t i = 0; i < pictures.values.size(); ++i) {
        auto noise = static_cast<std::uint32_t>(i) * 0x2C1B3C6DU;
        noise = (noise ^ noise >> 12U) * 0x297A2D39U;
        pictures.values[i] = static_cast<std::uint8_t>(noise >> 24U);
    }
    device.upload<std::uint8_t>(pictures.in.pixels, pictures.values);
    return std::make_shared<BytePictures>(std::move(pictures));
}

Case byte_case(const Scene &scene, const DeviceImages<std::uint8_t> &in,
               const std::string &operation, const std::string &level, double bytes_written,
               const std::function<void()> &launch, const std::shared_ptr<Output> &output) {
    Case row{{operation, level, Place::device, scene.device->info().name, in.rows(), 0, in.width}};
    row.work.bytes_read = static_cast<double>(in.rows() * in.width);
    row.work.bytes_written = bytes_written;
    return device_case(row, scene.device, launch, output);
}

template <typename T>
std::shared_ptr<Output> output_of(const Scene &scene, const DeviceImages<T> &out,
                                  std::vector<T> expected) {
    return std::make_shared<DeviceOutput<T>>(
        scene.device, out, std::make_shared<const std::vector<T>>(std::move(expected)));
}

std::vector<std::uint32_t> counts_of(const std::vector<std::uint8_t> &values, std::size_t pixels) {
    std::vector<std::uint32_t> counts(values.size() / pixels * 256, 0);
    for (std::size_t i = 0; i < values.size(); ++i) ++counts[i / pixels * 256 + values[i]];
    return counts;
}

/// Histogram equalisation by its formula (docs/operations/histogram256.md).
std::vector<std::uint8_t> equalised(const std::vector<std::uint8_t> &values, std::size_t pixels) {
    const std::vector<std::uint32_t> counts = counts_of(values, pixels);
    std::vector<std::uint8_t> table(counts.size());
    for (std::size_t first = 0; first < counts.size(); first += 256) {
        std::size_t level = first;
        while (counts[level] == 0) ++level;
        const float scale = 255.0F / static_cast<float>(pixels - counts[level]);
        std::uint32_t sum = 0;
        for (++level; level < first + 256; ++level)
            table[level] = static_cast<std::uint8_t>(
                std::lrint(static_cast<float>(sum += counts[level]) * scale));
    }
    std::vector<std::uint8_t> out(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) out[i] = table[i / pixels * 256 + values[i]];
    return out;
}

/// One wider and higher than the pictures, by the definition: a running sum of the row, plus what
/// stands above.
std::vector<std::uint32_t> integrated(const BytePictures &pictures) {
    const auto &in = pictures.in;
    const std::size_t width = in.width + 1;
    std::vector<std::uint32_t> sums((in.height + 1) * width * in.count, 0);
    for (std::size_t row = 0; row < in.rows(); ++row) {
        const std::size_t above = (row + row / in.height) * width; // a row of zeros a picture
        std::uint32_t sum = 0;
        for (std::size_t x = 0; x < in.width; ++x) {
            sum += pictures.values[row * in.width + x];
            sums[above + width + x + 1] = sums[above + x + 1] + sum;
        }
    }
    return sums;
}

} // namespace

std::vector<Case> histogram256_cases(const Scene &scene, std::size_t /*k*/) {
    if (!scene.device) return no_device("histogram256");
    const auto device = scene.device;
    const auto noise = make_bytes(scene, sizeof(std::uint8_t));
    const auto flat = std::make_shared<BytePictures>(*noise);
    std::ranges::fill(flat->values, std::uint8_t{90});
    flat->in.pixels = device->allocate<std::uint8_t>(flat->values.size());
    device->fill<std::uint8_t>(flat->in.pixels, 90, flat->values.size());
    const auto counts = allocate_images<std::uint32_t>(*device, 256, 1, noise->in.count);
    const auto output_for = [&](const BytePictures &pictures) {
        return output_of(scene, counts,
                         counts_of(pictures.values, pictures.in.width * pictures.in.height));
    };
    const std::array inputs = {std::tuple{"", noise->in, output_for(*noise)},
                               std::tuple{"+flat", flat->in, output_for(*flat)}};
    std::vector<Case> cases;
    for (const HistogramMethod method : histogram_methods)
        for (const auto &[suffix, in, output] : inputs)
            cases.push_back(byte_case(
                scene, in, "histogram256", std::string(name_of(method)) + suffix,
                static_cast<double>(sizeof(std::uint32_t) * counts.elements()),
                [device, in = in, counts = counts.pixels, method] {
                    histogram256(*device, in, counts, method);
                },
                output));
    return cases;
}

std::vector<Case> equalise_cases(const Scene &scene, std::size_t /*k*/) {
    if (!scene.device) return no_device("equalise");
    const auto device = scene.device;
    const auto pictures = make_bytes(scene, sizeof(std::uint8_t));
    const DeviceImages<std::uint8_t> in = pictures->in;
    const auto out = allocate_images<std::uint8_t>(*device, in.width, in.height, in.count);
    const auto output = output_of(scene, out, equalised(pictures->values, in.width * in.height));
    std::vector<Case> cases;
    for (const HistogramMethod method : {HistogramMethod::local_copies, HistogramMethod::serial})
        cases.push_back(byte_case(
            scene, in, "equalise", std::string(name_of(method)),
            static_cast<double>(in.rows() * in.width), [=] { equalise(*device, in, out, method); },
            output));
    return cases;
}

std::vector<Case> integral_cases(const Scene &scene, std::size_t /*k*/) {
    if (!scene.device) return no_device("integral");
    const auto device = scene.device;
    const auto pictures = make_bytes(scene, sizeof(std::uint32_t));
    const DeviceImages<std::uint8_t> in = pictures->in;
    const auto sums =
        allocate_images<std::uint32_t>(*device, in.width + 1, in.height + 1, in.count);
    const auto output = output_of(scene, sums, integrated(*pictures));
    std::vector<Case> cases;
    for (const IntegralMethod method : integral_methods)
        cases.push_back(byte_case(
            scene, in, "integral", std::string(name_of(method)),
            static_cast<double>(sizeof(std::uint32_t) * sums.elements()),
            [=] { integral(*device, in, sums, method); }, output));
    return cases;
}

} // namespace bowhist
