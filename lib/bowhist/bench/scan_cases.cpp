#include <bowhist/bench/picture_batch.hpp>
#include <bowhist/bench/scan_cases.hpp>
#include <bowhist/ops/compact.hpp>
#include <bowhist/ops/scan.hpp>

#include <cmath>

namespace bowhist {
namespace {

constexpr std::size_t most_side = 1024;           // pixels
constexpr std::uint32_t half_of_them = 1U << 23U; // numbers are below 2²⁴

/// Rows of floats, and their sums.
struct Rows {
    PictureBatch pictures;
    DeviceImages<float> out;
};

/// A vector, and what becomes of it.
struct Vector {
    std::vector<std::uint32_t> values;
    Buffer<std::uint32_t> in;
    Buffer<std::uint32_t> out;
};

std::shared_ptr<Vector> make_vector(const Scene &scene) {
    const PictureBatch pictures = make_pictures(scene, picture_side(scene, most_side));
    const std::size_t size = pictures.values.size();
    Vector vector{std::vector<std::uint32_t>(size), scene.device->allocate<std::uint32_t>(size),
                  scene.device->allocate<std::uint32_t>(size)};
    for (std::size_t i = 0; i < size; ++i)
        vector.values[i] = static_cast<std::uint32_t>(pictures.values[i] * 0x1p24F);
    scene.device->upload<std::uint32_t>(vector.in, vector.values);
    return std::make_shared<Vector>(std::move(vector));
}

/// Sums that are off by more than scan.hpp allows.
std::uint64_t wrong_rows(Device &device, const Rows &rows) {
    std::vector<float> sums(rows.out.elements());
    device.download(std::span(sums), rows.out.pixels);
    const std::size_t width = rows.out.width;
    const double tolerance = (static_cast<double>(width) / 16 + 100) * 0x1p-24;
    std::uint64_t mismatches = 0;
    for (std::size_t row = 0; row < rows.out.rows(); ++row) {
        double sum = 0;
        for (std::size_t i = row * width; i < (row + 1) * width; ++i) {
            sum += rows.pictures.values[i];
            if (!(std::abs(sums[i] - sum) <= tolerance * sum)) ++mismatches;
        }
    }
    return mismatches;
}

std::uint64_t wrong_sums(Device &device, const Vector &vector) {
    std::vector<std::uint32_t> sums(vector.values.size());
    device.download(std::span(sums), vector.out);
    std::uint64_t mismatches = 0;
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < sums.size(); ++i)
        if (sums[i] != (sum += vector.values[i])) ++mismatches;
    return mismatches;
}

std::uint64_t wrongly_kept(Device &device, const Vector &vector) {
    std::vector<std::uint32_t> kept(vector.values.size());
    device.download(std::span(kept), vector.out);
    std::uint64_t mismatches = 0;
    std::size_t place = 0;
    for (const std::uint32_t value : vector.values)
        if (value < half_of_them && kept[place++] != value) ++mismatches;
    return mismatches;
}

/// One row a method: how it runs, and how many results are wrong.
std::vector<Case> cases_of(const Scene &scene, const std::string &operation, std::size_t n,
                           std::size_t d, const std::function<void(ScanMethod)> &launch,
                           const std::function<std::uint64_t()> &count_mismatches) {
    std::vector<Case> cases;
    for (const ScanMethod method : scan_methods) {
        Case row{{operation, std::string(name_of(method)), Place::device, scene.device->info().name,
                  n, 0, d}};
        row.work.bytes_read = row.work.bytes_written = 4.0 * static_cast<double>(n * d);
        row.work.operations = static_cast<double>(n * d);
        row.run = [device = scene.device, launch, method] {
            return time_launches(*device, [&] { launch(method); });
        };
        row.check = [launch, method, count_mismatches] {
            launch(method);
            return Findings{{}, count_mismatches()};
        };
        cases.push_back(row);
    }
    return cases;
}

std::vector<Case> no_device(const std::string &operation) {
    return {not_here({operation, "all", Place::device}, "there is no OpenCL device")};
}

} // namespace

std::vector<Case> scan_row_cases(const Scene &scene, std::size_t /*k*/) {
    if (!scene.device) return no_device("scan-rows");
    PictureBatch pictures = make_pictures(scene, picture_side(scene, most_side));
    const DeviceImages<float> &in = pictures.in;
    const auto out = allocate_images<float>(*scene.device, in.width, in.height, in.count);
    const auto rows = std::make_shared<Rows>(Rows{std::move(pictures), out});
    return cases_of(
        scene, "scan-rows", out.rows(), out.width,
        [device = scene.device, rows](ScanMethod method) {
            scan_rows(*device, rows->pictures.in, rows->out, ScanKind::inclusive, method);
        },
        [device = scene.device, rows] { return wrong_rows(*device, *rows); });
}

std::vector<Case> scan_vector_cases(const Scene &scene, std::size_t /*k*/) {
    if (!scene.device) return no_device("scan-vector");
    const auto vector = make_vector(scene);
    return cases_of(
        scene, "scan-vector", vector->values.size(), 1,
        [device = scene.device, vector](ScanMethod method) {
            scan(*device, vector->in, vector->out, vector->values.size(), ScanKind::inclusive,
                 method);
        },
        [device = scene.device, vector] { return wrong_sums(*device, *vector); });
}

std::vector<Case> compact_cases(const Scene &scene, std::size_t /*k*/) {
    if (!scene.device) return no_device("compact");
    const auto vector = make_vector(scene);
    std::vector<Case> cases = cases_of(
        scene, "compact", vector->values.size(), 1,
        [device = scene.device, vector](ScanMethod method) {
            compact(*device, vector->in, vector->values.size(), "value<8388608u", vector->out,
                    method);
        },
        [device = scene.device, vector] { return wrongly_kept(*device, *vector); });
    for (Case &row : cases) { // half is kept; nothing is added up
        row.work.bytes_written /= 2;
        row.work.operations = 0;
    }
    return cases;
}

} // namespace bowhist
