#include "bench/cases/cases.hpp"
#include "bench/cases/test_images.hpp"
#include "bench/device_case.hpp"

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

/// The rounding of the additions that scan.hpp promises, for rows of `width` floats.
double rounding(std::size_t width) {
    return (static_cast<double>(width) / 16 + 100) * 0x1p-24;
}

std::vector<float> row_sums(const std::vector<float> &values, std::size_t width) {
    std::vector<float> sums(values.size());
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        sum = (i % width == 0 ? 0 : sum) + values[i];
        sums[i] = static_cast<float>(sum);
    }
    return sums;
}

/// The elements that compaction keeps, first in a vector, and the count that it returned.
class Kept : public DeviceOutput<std::uint32_t> {
  public:
    Kept(const std::shared_ptr<Device> &device, const Buffer<std::uint32_t> &out,
         const Expected<std::uint32_t> &expected)
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

/// Inclusive prefix sums in plain C++: with one thread the obvious loop. Several threads read
/// twice: each adds up its share, and scans it from the sum of all shares before it.
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

/// A row on these numbers, each of which is read, added and written.
template <typename T>
Case scan_row(const TestImages<T> &numbers) {
    const auto size = static_cast<double>(numbers.values.size());
    return image_row(numbers.in,
                     {.bytes_read = 4 * size, .bytes_written = 4 * size, .operations = size});
}

/// The same on one vector.
Case vector_row(const TestImages<std::uint32_t> &vector) {
    Case row = scan_row(vector);
    row.subject.n = vector.values.size();
    row.subject.d = 1;
    return row;
}

} // namespace

std::vector<Case> scan_row_cases(const Scene &scene) {
    const auto device = scene.device;
    const auto images = make_images<float>(scene, most_side);
    const auto in = images->in;
    const auto out = allocate_images<float>(*device, in.width, in.height, in.count);
    const auto output = device_output(device, out, row_sums(images->values, in.width),
                                      Tolerance{0, rounding(in.width)});
    return method_cases(scene, scan_row(*images), scan_methods, output, [=](ScanMethod method) {
        scan_rows(*device, in, out, ScanKind::inclusive, method);
    });
}

std::vector<Case> scan_vector_cases(const Scene &scene) {
    const auto device = scene.device;
    const auto vector = make_images<std::uint32_t>(scene, most_side);
    const std::size_t size = vector->values.size();
    const auto sums = std::make_shared<std::vector<std::uint32_t>>(size);
    std::partial_sum(vector->values.begin(), vector->values.end(), sums->begin());
    std::vector<Case> cases;
    if (device) {
        const auto out = allocate_images<std::uint32_t>(*device, 1, size);
        const auto output = std::make_shared<DeviceOutput<std::uint32_t>>(device, out, sums);
        cases =
            method_cases(scene, vector_row(*vector), scan_methods, output, [=](ScanMethod method) {
                scan(*device, vector->in.pixels, out.pixels, size, ScanKind::inclusive, method);
            });
    }
    const auto output = std::make_shared<HostOutput<std::uint32_t>>(1, sums);
    const auto run = [=](int threads) { scan_on_host(vector->values, output->found, threads); };
    std::ranges::move(host_cases(scene, vector_row(*vector), "", run, output),
                      std::back_inserter(cases));
    return cases;
}

std::vector<Case> compact_cases(const Scene &scene) {
    const auto device = scene.device;
    const auto vector = make_images<std::uint32_t>(scene, most_side);
    const std::size_t size = vector->values.size();
    const auto expected = std::make_shared<std::vector<std::uint32_t>>();
    std::ranges::copy_if(vector->values, std::back_inserter(*expected),
                         [](std::uint32_t value) { return value < half_of_them; });
    const auto out = device->allocate<std::uint32_t>(size);
    const auto kept = std::make_shared<Kept>(device, out, expected);
    const std::string predicate = fmt::format("value<{}u", half_of_them);
    Case row = vector_row(*vector);
    row.work.bytes_written /= 2; // half is kept
    row.work.operations = 0;     // nothing is added up
    return method_cases(scene, row, scan_methods, kept, [=](ScanMethod method) {
        try {
            kept->set_count(compact(*device, vector->in.pixels, size, predicate, out, method));
        } catch (const Error &error) { // there is room for all: a larger count is a wrong result
            if (error.fault != Fault::usage) throw;
        }
    });
}

} // namespace bowhist
