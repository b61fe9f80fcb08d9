#include <bowhist/bench/cases.hpp>
#include <bowhist/bench/device_case.hpp>
#include <bowhist/bench/device_output.hpp>
#include <bowhist/bench/picture_batch.hpp>
#include <bowhist/ops/equalize.hpp>
#include <bowhist/ops/integral.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace bowhist {
namespace {

constexpr std::size_t most_side = 2048; // pixels
constexpr std::size_t bins = 256;

/// Noise, and where it lies.
struct BytePictures {
    std::vector<std::uint8_t> values;
    DeviceImages<std::uint8_t> in;
};

void upload(const Scene &scene, BytePictures &pictures) {
    if (scene.device) pictures.in.pixels = uploaded(*scene.device, pictures.values);
}

/// `result_bytes`: of the largest result, for each pixel, which must fit the device as well.
std::shared_ptr<BytePictures> make_bytes(const Scene &scene, std::size_t result_bytes) {
    const std::size_t side = picture_side(scene, most_side);
    const std::size_t count = picture_count(scene, side * side, 1, result_bytes * side * side);
    BytePictures pictures{std::vector<std::uint8_t>(count * side * side),
                          {{}, side, side, side, count}};
    for (std::size_t i = 0; i < pictures.values.size(); ++i)
        pictures.values[i] = static_cast<std::uint8_t>(noise(i) >> 24U);
    upload(scene, pictures);
    return std::make_shared<BytePictures>(std::move(pictures));
}

/// A row of `operation` on these pictures, before it has a level.
Case byte_problem(const DeviceImages<std::uint8_t> &in, const std::string &operation,
                  double bytes_written) {
    Case row{{operation, {}, Place::device, {}, in.rows(), 0, in.width}};
    row.work.bytes_read = static_cast<double>(in.rows() * in.width);
    row.work.bytes_written = bytes_written;
    return row;
}

Case byte_case(const Scene &scene, Case row, const std::string &level,
               const std::function<void()> &launch, const std::shared_ptr<Output> &output) {
    row.subject.level = level;
    row.subject.device = scene.device->info().name;
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

/// counts[256 * picture + value], for pictures of `pixels` bytes each, in plain C++. Each of many
/// threads counts a share of every picture in counters of its own.
void count_on_host(std::span<const std::uint8_t> pictures, std::size_t pixels,
                   std::span<std::uint32_t> counts, int threads) {
    std::ranges::fill(counts, 0);
#pragma omp parallel num_threads(threads)
    for (std::size_t first = 0; first < pictures.size(); first += pixels) {
        std::array<std::uint32_t, 256> own{};
#pragma omp for nowait
        for (std::size_t i = first; i < first + pixels; ++i) ++own[pictures[i]];
#pragma omp critical
        for (std::size_t grey = 0; grey < own.size(); ++grey)
            counts[first / pixels * own.size() + grey] += own[grey];
    }
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
    std::vector<Case> cases;
    if (!scene.device) cases = no_device("histogram256");
    const auto noisy = make_bytes(scene, sizeof(std::uint8_t));
    const auto flat = std::make_shared<BytePictures>(*noisy);
    std::ranges::fill(flat->values, std::uint8_t{90});
    upload(scene, *flat);
    std::vector<Case> on_host;
    for (const auto &[suffix, pictures] : {std::pair{"", noisy}, {"+flat", flat}}) {
        const DeviceImages<std::uint8_t> in = pictures->in;
        const std::size_t pixels = in.width * in.height;
        const auto expected =
            std::make_shared<const std::vector<std::uint32_t>>(counts_of(pictures->values, pixels));
        const Case row = byte_problem(
            in, "histogram256", static_cast<double>(sizeof(std::uint32_t) * expected->size()));
        if (scene.device) {
            const auto counts = allocate_images<std::uint32_t>(*scene.device, bins, 1, in.count);
            const auto output =
                std::make_shared<DeviceOutput<std::uint32_t>>(scene.device, counts, expected);
            for (const HistogramMethod method : histogram_methods)
                cases.push_back(byte_case(
                    scene, row, std::string(name_of(method)) + suffix,
                    [device = scene.device, in, counts, method] {
                        histogram256(*device, in, counts.pixels, method);
                    },
                    output));
        }
        const auto counted = std::make_shared<std::vector<std::uint32_t>>(expected->size());
        std::ranges::copy(host_cases(
                              scene, row, suffix,
                              [pictures = pictures, pixels, counted](int threads) {
                                  count_on_host(pictures->values, pixels, *counted, threads);
                              },
                              std::make_shared<HostOutput<std::uint32_t>>(counted, bins, expected)),
                          std::back_inserter(on_host));
    }
    std::ranges::copy(on_host, std::back_inserter(cases));
    return cases;
}

std::vector<Case> equalise_cases(const Scene &scene, std::size_t /*k*/) {
    if (!scene.device) return no_device("equalise");
    const auto device = scene.device;
    const auto pictures = make_bytes(scene, sizeof(std::uint8_t));
    const DeviceImages<std::uint8_t> in = pictures->in;
    const auto out = allocate_images<std::uint8_t>(*device, in.width, in.height, in.count);
    const auto output = output_of(scene, out, equalised(pictures->values, in.width * in.height));
    const Case row = byte_problem(in, "equalise", static_cast<double>(in.elements()));
    std::vector<Case> cases;
    for (const HistogramMethod method : {HistogramMethod::local_copies, HistogramMethod::serial})
        cases.push_back(byte_case(
            scene, row, std::string(name_of(method)), [=] { equalize(*device, in, out, method); },
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
    const Case row =
        byte_problem(in, "integral", static_cast<double>(sizeof(std::uint32_t) * sums.elements()));
    std::vector<Case> cases;
    for (const IntegralMethod method : integral_methods)
        cases.push_back(byte_case(
            scene, row, std::string(name_of(method)), [=] { integral(*device, in, sums, method); },
            output));
    return cases;
}

} // namespace bowhist
