#include "bench/cases/cases.hpp"
#include "bench/cases/test_images.hpp"
#include "bench/device_case.hpp"

#include <bowhist/ops/equalize.hpp>
#include <bowhist/ops/integral.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace bowhist {
namespace {

constexpr std::size_t most_side = 2048; // pixels
constexpr std::size_t bins = 256;

using Bytes = TestImages<std::uint8_t>;

/// A row on these images, before it has a level.
Case byte_row(const Bytes &images, std::size_t bytes_written) {
    return image_row(images.in, {.bytes_read = static_cast<double>(images.values.size()),
                                 .bytes_written = static_cast<double>(bytes_written)});
}

std::vector<std::uint32_t> counts_of(const std::vector<std::uint8_t> &values, std::size_t pixels) {
    std::vector<std::uint32_t> counts(values.size() / pixels * 256, 0);
    for (std::size_t i = 0; i < values.size(); ++i) ++counts[i / pixels * 256 + values[i]];
    return counts;
}

/// counts[256 * image + value], for images of `pixels` bytes each, in plain C++. Each
/// thread counts a share of every image in counters of its own.
void count_on_host(std::span<const std::uint8_t> images, std::size_t pixels,
                   std::span<std::uint32_t> counts, int threads) {
    std::ranges::fill(counts, 0);
#pragma omp parallel num_threads(threads)
    for (std::size_t first = 0; first < images.size(); first += pixels) {
        std::array<std::uint32_t, 256> own{};
#pragma omp for nowait
        for (std::size_t i = first; i < first + pixels; ++i) ++own[images[i]];
#pragma omp critical
        for (std::size_t grey = 0; grey < own.size(); ++grey)
            counts[first / pixels * own.size() + grey] += own[grey];
    }
}

/// Histogram equalization by its formula (docs/operations/histogram256.md).
std::vector<std::uint8_t> equalized(const std::vector<std::uint8_t> &values, std::size_t pixels) {
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

/// Integral images by their definition, with one row and one column more than the images: a running
/// sum of the row, plus the sum above.
std::vector<std::uint32_t> integrated(const Bytes &images) {
    const auto &in = images.in;
    const std::size_t width = in.width + 1;
    std::vector<std::uint32_t> sums((in.height + 1) * width * in.count, 0);
    for (std::size_t row = 0; row < in.rows(); ++row) {
        const std::size_t above = (row + row / in.height) * width; // a row of zeros an image
        std::uint32_t sum = 0;
        for (std::size_t x = 0; x < in.width; ++x) {
            sum += images.values[row * in.width + x];
            sums[above + width + x + 1] = sums[above + x + 1] + sum;
        }
    }
    return sums;
}

} // namespace

std::vector<Case> histogram256_cases(const Scene &scene) {
    const auto noisy = make_images<std::uint8_t>(scene, most_side);
    auto grey = *noisy;
    std::ranges::fill(grey.values, std::uint8_t{90});
    if (scene.device) grey.in.pixels = uploaded(*scene.device, grey.values);
    std::vector<Case> cases;
    std::vector<Case> on_host;
    for (const auto &[suffix, images] :
         {std::pair{"", noisy}, {"+flat", std::make_shared<const Bytes>(std::move(grey))}}) {
        const auto expected = std::make_shared<const std::vector<std::uint32_t>>(
            counts_of(images->values, images->pixels_each()));
        const Case row = byte_row(*images, sizeof(std::uint32_t) * expected->size());
        if (scene.device) {
            const auto in = images->in;
            const auto counts = allocate_images<std::uint32_t>(*scene.device, bins, 1, in.count);
            const auto count = [device = scene.device, in, counts](HistogramMethod method) {
                histogram256(*device, in, counts.pixels, method);
            };
            const auto output =
                std::make_shared<DeviceOutput<std::uint32_t>>(scene.device, counts, expected);
            std::ranges::move(method_cases(scene, row, histogram_methods, output, count, suffix),
                              std::back_inserter(cases));
        }
        const auto output = std::make_shared<HostOutput<std::uint32_t>>(bins, expected);
        const auto count = [images = images, output](int threads) {
            count_on_host(images->values, images->pixels_each(), output->found, threads);
        };
        std::ranges::move(host_cases(scene, row, suffix, count, output),
                          std::back_inserter(on_host));
    }
    std::ranges::move(on_host, std::back_inserter(cases));
    return cases;
}

std::vector<Case> equalize_cases(const Scene &scene) {
    const auto images = make_images<std::uint8_t>(scene, most_side);
    const auto in = images->in;
    const auto out = allocate_images<std::uint8_t>(*scene.device, in.width, in.height, in.count);
    return method_cases(
        scene, byte_row(*images, out.elements()),
        std::array{HistogramMethod::local_copies, HistogramMethod::serial},
        device_output(scene.device, out, equalized(images->values, images->pixels_each())),
        [=, device = scene.device](HistogramMethod method) { equalize(*device, in, out, method); });
}

std::vector<Case> integral_cases(const Scene &scene) {
    const auto images = make_images<std::uint8_t>(scene, most_side, sizeof(std::uint32_t));
    const auto in = images->in;
    const auto sums =
        allocate_images<std::uint32_t>(*scene.device, in.width + 1, in.height + 1, in.count);
    return method_cases(
        scene, byte_row(*images, sizeof(std::uint32_t) * sums.elements()), integral_methods,
        device_output(scene.device, sums, integrated(*images)),
        [=, device = scene.device](IntegralMethod method) { integral(*device, in, sums, method); });
}

} // namespace bowhist
