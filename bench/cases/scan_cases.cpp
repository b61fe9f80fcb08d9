#include "bench/cases/cases.hpp"
#include "bench/cases/picture_batch.hpp"
#include "bench/device_case.hpp"
#include "bench/device_output.hpp"

#include <bowhist/ops/compact.hpp>
#include <bowhist/ops/scan.hpp>

#include <fmt/format.h>
#include <omp.h>

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

/// A vector of as many integers as the pictures have pixels; on the device, where there is one,
/// with room for what becomes of it.
struct Vector {
    std::vector<std::uint32_t> values;
    Buffer<std::uint32_t> in = {};
    Buffer<std::uint32_t> out = {};
};

std::shared_ptr<Vector> make_vector(const Scene &scene) {
    const PictureBatch pictures = make_pictures(scene, picture_side(scene, most_side));
    Vector vector{std::vector<std::uint32_t>(pictures.values.size())};
    std::ranges::transform(pictures.values, vector.values.begin(),
                           [](float value) { return static_cast<std::uint32_t>(value * 0x1p24F); });
    if (scene.device) {
        vector.in = uploaded(*scene.device, vector.values);
        vector.out = scene.device->allocate<std::uint32_t>(vector.values.size());
    }
    return std::make_shared<Vector>(std::move(vector));
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

/// Inclusive prefix sums in plain C++: with one thread the loop that anybody would write, with more
/// the same shared out. Many read twice: each adds up its share, and scans it once it knows what
/// all shares before it add up to.
void scan_on_host(std::span<const std::uint32_t> in, std::span<std::uint32_t> out, int threads) {
    if (threads == 1) {
        std::partial_sum(in.begin(), in.end(), out.begin());
        return;
    }
    std::vector<std::uint32_t> before(static_cast<std::size_t>(threads) + 1, 0);
#pragma omp parallel num_threads(threads)
    {
        const auto thread = static_cast<std::size_t>(omp_get_thread_num());
        const auto all = static_cast<std::size_t>(omp_get_num_threads());
        const std::size_t first = in.size() * thread / all;
        const auto share = in.subspan(first, in.size() * (thread + 1) / all - first);
        before[thread + 1] = std::accumulate(share.begin(), share.end(), std::uint32_t{0});
#pragma omp barrier
#pragma omp single
        std::partial_sum(before.begin(), before.end(), before.begin());
        std::inclusive_scan(share.begin(), share.end(), out.begin() + static_cast<long>(first),
                            std::plus<>(), before[thread]);
    }
}

/// A row of `operation`, before it has a level.
Case problem(const std::string &operation, std::size_t n, std::size_t d) {
    Case row{{operation, {}, Place::device, {}, n, 0, d}};
    row.work.bytes_read = row.work.bytes_written = 4.0 * static_cast<double>(n * d);
    row.work.operations = static_cast<double>(n * d);
    return row;
}

/// One row a method.
std::vector<Case> cases_of(const Scene &scene, Case row, const std::shared_ptr<Output> &output,
                           const std::function<void(ScanMethod)> &launch) {
    std::vector<Case> cases;
    row.subject.device = scene.device->info().name;
    for (const ScanMethod method : scan_methods) {
        row.subject.level = name_of(method);
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
    return cases_of(
        scene, problem("scan-rows", out.rows(), out.width), output,
        [=](ScanMethod method) { scan_rows(*device, in, out, ScanKind::inclusive, method); });
}

std::vector<Case> scan_vector_cases(const Scene &scene, std::size_t /*k*/) {
    const auto device = scene.device;
    const auto vector = make_vector(scene);
    const std::size_t size = vector->values.size();
    const auto sums = std::make_shared<std::vector<std::uint32_t>>(size);
    std::partial_sum(vector->values.begin(), vector->values.end(), sums->begin());
    const Case row = problem("scan-vector", size, 1);
    std::vector<Case> cases;
    if (device) {
        const auto output = std::make_shared<DeviceOutput<std::uint32_t>>(
            device, DeviceImages<std::uint32_t>{vector->out, 1, size, 1, 1}, sums);
        cases = cases_of(scene, row, output, [=](ScanMethod method) {
            scan(*device, vector->in, vector->out, size, ScanKind::inclusive, method);
        });
    } else {
        cases = no_device("scan-vector");
    }
    const auto out = std::make_shared<std::vector<std::uint32_t>>(size);
    std::ranges::copy(
        host_cases(
            scene, row, "",
            [vector, out](int threads) { scan_on_host(vector->values, *out, threads); },
            std::make_shared<HostOutput<std::uint32_t>>(out, 1, sums)),
        std::back_inserter(cases));
    return cases;
}

std::vector<Case> compact_cases(const Scene &scene, std::size_t /*k*/) {
    if (!scene.device) return no_device("compact");
    const auto device = scene.device;
    const auto vector = make_vector(scene);
    const std::size_t size = vector->values.size();
    const auto expected = std::make_shared<std::vector<std::uint32_t>>();
    std::ranges::copy_if(vector->values, std::back_inserter(*expected),
                         [](std::uint32_t value) { return value < half_of_them; });
    const auto kept = std::make_shared<Kept>(device, vector->out, expected);
    const std::string predicate = fmt::format("value<{}u", half_of_them);
    Case row = problem("compact", size, 1);
    row.work.bytes_written /= 2; // half is kept; nothing is added up
    row.work.operations = 0;
    return cases_of(scene, row, kept, [=](ScanMethod method) {
        try {
            kept->set_count(compact(*device, vector->in, size, predicate, vector->out, method));
        } catch (const Error &error) { // there is room for all: more are a wrong result
            if (error.fault != Fault::usage) throw;
        }
    });
}

} // namespace bowhist
