#include <bowhist/bench/device_case.hpp>
#include <bowhist/bench/device_output.hpp>
#include <bowhist/bench/picture_batch.hpp>
#include <bowhist/bench/scan_cases.hpp>
#include <bowhist/ops/compact.hpp>
#include <bowhist/ops/scan.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

namespace bowhist {
namespace {

constexpr std::size_t most_side = 1024;           // pixels
constexpr std::uint32_t half_of_them = 1U << 23U; // numbers are below 2²⁴

/// The path of additions that scan.hpp promises, for rows of so many floats.
double rounding(std::size_t width) {
    return (static_cast<double>(width) / 16 + 100) * 0x1p-24;
}

/// A vector of as many integers as the pictures have pixels, and room for what becomes of it.
struct Vector {
    std::vector<std::uint32_t> values;
    DeviceImages<std::uint32_t> in;
    DeviceImages<std::uint32_t> out;
};

Vector make_vector(const Scene &scene) {
    const PictureBatch pictures = make_pictures(scene, picture_side(scene, most_side));
    const auto allocate = [&] {
        return allocate_images<std::uint32_t>(*scene.device, pictures.in.width, pictures.in.height,
                                              pictures.in.count);
    };
    Vector vector{std::vector<std::uint32_t>(pictures.values.size()), allocate(), allocate()};
    for (std::size_t i = 0; i < vector.values.size(); ++i)
        vector.values[i] = static_cast<std::uint32_t>(pictures.values[i] * 0x1p24F);
    scene.device->upload<std::uint32_t>(vector.in.pixels, vector.values);
    return vector;
}

std::shared_ptr<std::vector<float>> row_sums(const std::vector<float> &values, std::size_t width) {
    auto sums = std::make_shared<std::vector<float>>(values.size());
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        sum = (i % width == 0 ? 0 : sum) + values[i];
        (*sums)[i] = static_cast<float>(sum);
    }
    return sums;
}

/// What compaction keeps, in the first elements of its room; and how many it said there are.
class Kept : public DeviceOutput<std::uint32_t> {
  public:
    using Expected = std::shared_ptr<const std::vector<std::uint32_t>>;
    Kept(const std::shared_ptr<Device> &device, const Buffer<std::uint32_t> &out,
         const Expected &expected)
        : DeviceOutput(device, {out, 1, expected->size(), 1, 1}, expected),
          expected_count_(expected->size()) {}

    void set_count(std::size_t count) { count_ = count; }
    void poison(const Area &area) override {
        DeviceOutput::poison(area);
        count_.reset();
    }
    std::uint64_t mismatches() override {
        return DeviceOutput::mismatches() + (count_ == expected_count_ ? 0U : 1U);
    }

  private:
    std::size_t expected_count_;
    std::optional<std::size_t> count_;
};

/// One row a method.
std::vector<Case> cases_of(const Scene &scene, const std::string &operation, std::size_t n,
                           std::size_t d, const std::shared_ptr<Output> &output,
                           const std::function<void(ScanMethod)> &launch) {
    std::vector<Case> cases;
    for (const ScanMethod method : scan_methods) {
        Case row{{operation, std::string(name_of(method)), Place::device, scene.device->info().name,
                  n, 0, d}};
        row.work.bytes_read = row.work.bytes_written = 4.0 * static_cast<double>(n * d);
        row.work.operations = static_cast<double>(n * d);
        cases.push_back(device_case(
            row, scene.device, [launch, method] { launch(method); }, output));
    }
    return cases;
}

} // namespace

std::vector<Case> scan_row_cases(const Scene &scene, std::size_t /*k*/) {
    if (!scene.device) return no_device("scan-rows");
    const PictureBatch pictures = make_pictures(scene, picture_side(scene, most_side));
    const auto device = scene.device;
    const DeviceImages<float> in = pictures.in;
    const auto out = allocate_images<float>(*device, in.width, in.height, in.count);
    const auto output = std::make_shared<DeviceOutput<float>>(
        device, out, row_sums(pictures.values, in.width), Tolerance{0, rounding(in.width)});
    return cases_of(scene, "scan-rows", out.rows(), out.width, output, [=](ScanMethod method) {
        scan_rows(*device, in, out, ScanKind::inclusive, method);
    });
}

std::vector<Case> scan_vector_cases(const Scene &scene, std::size_t /*k*/) {
    if (!scene.device) return no_device("scan-vector");
    const auto device = scene.device;
    const auto [values, in, out] = make_vector(scene);
    const auto sums = std::make_shared<std::vector<std::uint32_t>>(values.size());
    std::partial_sum(values.begin(), values.end(), sums->begin());
    return cases_of(
        scene, "scan-vector", values.size(), 1,
        std::make_shared<DeviceOutput<std::uint32_t>>(device, out, sums),
        [device, in = in.pixels, out = out.pixels, size = sums->size()](ScanMethod method) {
            scan(*device, in, out, size, ScanKind::inclusive, method);
        });
}

std::vector<Case> compact_cases(const Scene &scene, std::size_t /*k*/) {
    if (!scene.device) return no_device("compact");
    const auto device = scene.device;
    const auto [values, in, out] = make_vector(scene);
    const auto expected = std::make_shared<std::vector<std::uint32_t>>();
    std::ranges::copy_if(values, std::back_inserter(*expected),
                         [](std::uint32_t value) { return value < half_of_them; });
    const auto kept = std::make_shared<Kept>(device, out.pixels, expected);
    const std::string predicate = fmt::format("value<{}u", half_of_them);
    std::vector<Case> cases = cases_of(
        scene, "compact", values.size(), 1, kept,
        [=, in = in.pixels, out = out.pixels, size = values.size()](ScanMethod method) {
            try {
                kept->set_count(compact(*device, in, size, predicate, out, method));
            } catch (const Error &error) { // there is room for all: more are a wrong result
                if (error.fault != Fault::usage) throw;
            }
        });
    for (Case &row : cases) { // half is kept; nothing is added up
        row.work.bytes_written /= 2;
        row.work.operations = 0;
    }
    return cases;
}

} // namespace bowhist
