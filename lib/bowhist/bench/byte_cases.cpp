#include <bowhist/bench/byte_cases.hpp>
#include <bowhist/bench/picture_batch.hpp>
#include <bowhist/ops/equalise.hpp>
#include <bowhist/ops/integral.hpp>

#include <algorithm>
#include <cmath>

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
               const std::function<void()> &launch,
               const std::function<std::uint64_t()> &count_mismatches) {
    Case row{{operation, level, Place::device, scene.device->info().name, in.rows(), 0, in.width}};
    row.work.bytes_read = static_cast<double>(in.rows() * in.width);
    row.work.bytes_written = bytes_written;
    row.run = [device = scene.device, launch] { return time_launches(*device, launch); };
    row.check = [launch, count_mismatches] {
        launch();
        return Findings{{}, count_mismatches()};
    };
    return row;
}

std::vector<Case> no_device(const std::string &operation) {
    return {not_here({operation, "all", Place::device}, "there is no OpenCL device")};
}

std::vector<std::uint32_t> counts_of(const std::vector<std::uint8_t> &values, std::size_t pixels) {
    std::vector<std::uint32_t> counts(values.size() / pixels * 256, 0);
    for (std::size_t i = 0; i < values.size(); ++i) ++counts[i / pixels * 256 + values[i]];
    return counts;
}

template <typename T>
std::uint64_t differences(Device &device, const Buffer<T> &found, const std::vector<T> &expected) {
    std::vector<T> values(expected.size());
    device.download(std::span(values), found);
    std::uint64_t mismatches = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        mismatches += values[i] != expected[i] ? 1U : 0U;
    return mismatches;
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

/// The last row of each picture's integral image, which every pixel adds to.
std::uint64_t wrong_sums(Device &device, const BytePictures &pictures,
                         const DeviceImages<std::uint32_t> &sums) {
    std::vector<std::uint32_t> found(sums.elements());
    device.download(std::span(found), sums.pixels);
    const auto &in = pictures.in;
    std::uint64_t mismatches = 0;
    for (std::size_t picture = 0; picture < in.count; ++picture) {
        std::vector<std::uint32_t> columns(in.width, 0);
        for (std::size_t i = 0; i < in.width * in.height; ++i)
            columns[i % in.width] += pictures.values[picture * in.width * in.height + i];
        const std::size_t last = (picture * sums.height + sums.height - 1) * sums.pitch;
        std::uint32_t sum = 0;
        for (std::size_t x = 0; x < in.width; ++x)
            mismatches += found[last + x + 1] != (sum += columns[x]) ? 1U : 0U;
    }
    return mismatches;
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
    const auto counts = device->allocate<std::uint32_t>(256 * noise->in.count);
    std::vector<Case> cases;
    for (const HistogramMethod method : histogram_methods)
        for (const auto &pictures : {noise, flat})
            cases.push_back(byte_case(
                scene, pictures->in, "histogram256",
                std::string(name_of(method)) + (pictures == flat ? "+flat" : ""),
                static_cast<double>(256 * sizeof(std::uint32_t) * pictures->in.count),
                [=] { histogram256(*device, pictures->in, counts, method); },
                [=] {
                    return differences(
                        *device, counts,
                        counts_of(pictures->values, pictures->in.width * pictures->in.height));
                }));
    return cases;
}

std::vector<Case> equalise_cases(const Scene &scene, std::size_t /*k*/) {
    if (!scene.device) return no_device("equalise");
    const auto device = scene.device;
    const auto pictures = make_bytes(scene, sizeof(std::uint8_t));
    const auto &in = pictures->in;
    const auto out = allocate_images<std::uint8_t>(*device, in.width, in.height, in.count);
    std::vector<Case> cases;
    for (const HistogramMethod method : {HistogramMethod::local_copies, HistogramMethod::serial})
        cases.push_back(byte_case(
            scene, in, "equalise", std::string(name_of(method)),
            static_cast<double>(in.rows() * in.width),
            [=] { equalise(*device, pictures->in, out, method); },
            [=] {
                return differences(*device, out.pixels,
                                   equalised(pictures->values, out.width * out.height));
            }));
    return cases;
}

std::vector<Case> integral_cases(const Scene &scene, std::size_t /*k*/) {
    if (!scene.device) return no_device("integral");
    const auto device = scene.device;
    const auto pictures = make_bytes(scene, sizeof(std::uint32_t));
    const auto &in = pictures->in;
    const auto sums =
        allocate_images<std::uint32_t>(*device, in.width + 1, in.height + 1, in.count);
    std::vector<Case> cases;
    for (const IntegralMethod method : integral_methods)
        cases.push_back(byte_case(
            scene, in, "integral", std::string(name_of(method)),
            static_cast<double>(sizeof(std::uint32_t) * sums.elements()),
            [=] { integral(*device, pictures->in, sums, method); },
            [=] { return wrong_sums(*device, *pictures, sums); }));
    return cases;
}

} // namespace bowhist
