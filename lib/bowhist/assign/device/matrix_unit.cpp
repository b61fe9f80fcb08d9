#include <bowhist/assign/device/assign_launch.hpp>
#include <bowhist/assign/device/matrix_centroids.hpp>
#include <bowhist/assign/device/matrix_unit.hpp>
#include <bowhist/assign/device/wgmma_kernel.hpp>
#include <bowhist/core/descriptors.hpp>
#include <bowhist/device/opencl.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace bowhist {
namespace {

constexpr std::size_t dimensions = WGMMA_SLAB;
constexpr std::size_t count = PROBE_WORDS; // and as many rows

/// Rows and words whose scores a matrix unit gets wrong when it does not behave as gpu7's bound
/// takes it to (docs/words.md): when it cuts its sums shorter, or takes subnormal fp16 for zero.
struct MatrixProbe {
    Vocabulary words;
    Descriptors rows;
};

/// A row's scores by the definition, and how far off they may be.
struct Expected {
    double norm = 0;
    double residual = 0;
    std::vector<double> scores;
};

Expected expected_of(std::span<const float> row, const Vocabulary &words, float scale) {
    Expected expected;
    for (const float value : row) {
        const float scaled = value * scale;
        const float rounded = cl_half_to_float(cl_half_from_float(scaled, CL_HALF_RTE));
        expected.norm = std::hypot(expected.norm, double{scaled});
        expected.residual = std::hypot(expected.residual, double{scaled} - double{rounded});
    }
    for (std::size_t j = 0; j < words.size(); ++j) {
        double score = 0;
        for (std::size_t i = 0; i < dimensions; ++i) {
            const double c = double{words.row(j)[i]} * scale;
            score += double{row[i]} * scale * c - c * c / 2;
        }
        expected.scores.push_back(score);
    }
    return expected;
}

/// score_bound.cl's, without the rule's own part.
double bound_of(const Expected &row, const MatrixCentroids &words, std::size_t steps) {
    const double least = std::ldexp(1.0, -14);
    const double largest =
        std::max(row.norm, least) * std::max(double{words.norm}, least) + words.half_square;
    return row.residual * words.norm + row.norm * words.residual +
           matrix_rounding(16 * steps) * largest;
}

/// The scores of a kernel, count×count, each larger by `offset`. Beside the bound of sums of
/// `steps` steps they may be off by `slack`.
struct Found {
    std::vector<float> scores;
    double offset = 0;
    double slack = 0;
    std::size_t steps = 0;
    double longest = std::numeric_limits<double>::infinity(); ///< of rows that the kernel takes
};

/// Compares the rows that the kernel takes; false where it takes none.
bool within_bound(const Found &found, const MatrixProbe &probe, const MatrixCentroids &packed) {
    std::size_t compared = 0;
    for (std::size_t row = 0; row < count; ++row) {
        const Expected expected = expected_of(probe.rows.row(row), probe.words, packed.scale);
        if (expected.norm > found.longest) continue;
        ++compared;
        const double bound = bound_of(expected, packed, found.steps) + found.slack;
        for (std::size_t j = 0; j < count; ++j) {
            const double score = found.scores[row * count + j] - found.offset;
            if (!(std::abs(score - expected.scores[j]) <= bound)) return false;
        }
    }
    return compared > 0;
}

bool mma_keeps(Device &device, const MatrixProbe &probe) {
    const MatrixCentroids packed(probe.words);
    const auto scores = device.allocate<float>(count * count);
    Kernel kernel =
        device.kernel("probe_matrix.cl", "probe",
                      fmt::format("-DDIMENSIONS={} -DSTEPS={}", dimensions, packed.steps));
    device.launch(kernel, {count / 16 * WARP, 1}, {WARP, 1}, uploaded(device, probe.rows.values),
                  uploaded<cl_ushort>(device, packed.fragments), uploaded(device, packed.starts),
                  packed.scale, scores);
    return within_bound({.scores = downloaded(device, scores), .steps = packed.steps}, probe,
                        packed);
}

bool wgmma_keeps(Device &device, const MatrixProbe &probe) {
    const MatrixCentroids packed(probe.words);
    const WgmmaCentroids tiles(probe.words, packed);
    const auto scores = device.allocate<float>(count * count);
    Kernel kernel =
        device.kernel("probe_wgmma.cl", "probe", fmt::format("-DDIMENSIONS={}", dimensions));
    device.launch(kernel, {WARPGROUP, 1}, {WARPGROUP, 1}, uploaded(device, probe.rows.values),
                  uploaded<cl_ushort>(device, tiles.values),
                  uploaded<cl_ushort>(device, tiles.lasts), packed.scale, scores);
    return within_bound({.scores = downloaded(device, scores),
                         .offset = 1.5 * tiles.lowest,
                         .slack = std::ldexp(8.0, -23) * tiles.lowest,
                         .steps = WgmmaKernel::steps(dimensions),
                         .longest = float{WGMMA_REACH} * packed.norm},
                        probe, packed);
}

/// One large product, and 63 that are just under a certain bit of it, a different one for each row:
/// a sum that does not keep that bit loses them all. Less |c|²/2, it keeps its power of two.
MatrixProbe lost_beside_large() {
    MatrixProbe probe{{dimensions, {}}, {dimensions, {}}};
    for (std::size_t j = 0; j < count; ++j)
        for (std::size_t i = 0; i < dimensions; ++i)
            probe.words.values.push_back(i == 0 ? 64.0F : i > j ? 0.125F : 0.0625F);
    for (std::size_t row = 0; row < count; ++row) {
        const int exponent = row < count / 2 ? 10 : 7;
        const int bit = 12 + static_cast<int>(row % 16); // down to 2^-27 of the large product
        const float small = std::ldexp(row % 32 < 16 ? 0.999F : -0.999F, exponent + 9 - bit);
        const float large = std::ldexp(exponent == 10 ? 1.0625F : 1.3125F, exponent);
        for (std::size_t i = 0; i < dimensions; ++i)
            probe.rows.values.push_back(i == 0 ? large : small);
    }
    return probe;
}

/// Words so small that nearly all of each is subnormal in fp16 even when it is scaled, and rows
/// whose scores come from that part: short enough for wgmma's kernel.
MatrixProbe subnormal_words() {
    MatrixProbe probe{{dimensions, {}}, {dimensions, {}}};
    std::mt19937 draw; // NOLINT(cert-msc51-cpp): the same on every machine, and meant to be
    for (std::size_t i = 0; i < count * dimensions; ++i) {
        const bool first = i % dimensions == 0;
        probe.words.values.push_back(
            std::ldexp(first ? 1.0F : static_cast<float>(draw() % 1024), first ? -122 : -144));
        probe.rows.values.push_back(first ? 0 : std::ldexp(static_cast<float>(draw() % 16), -127));
    }
    return probe;
}

bool keeps_all(Device &device, bool (*keeps)(Device &, const MatrixProbe &)) {
    const bool all = keeps(device, lost_beside_large()) && keeps(device, subnormal_words());
    device.take_launches(); // they belong in no report
    return all;
}

} // namespace

double matrix_rounding(std::size_t dims) {
    return (1.5 * static_cast<double>(dims) + 12) * std::ldexp(1.0, -23);
}

bool keeps_the_bound(Device &device) {
    return device.verdict("mma.sync", [&] { return keeps_all(device, mma_keeps); });
}

bool wgmma_keeps_the_bound(Device &device) {
    return device.verdict("wgmma", [&] { return keeps_all(device, wgmma_keeps); });
}

} // namespace bowhist
