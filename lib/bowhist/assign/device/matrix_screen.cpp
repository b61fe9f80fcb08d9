#include <bowhist/assign/device/matrix_screen.hpp>

#include <bowhist/assign/device/assign_launch.hpp>
#include <bowhist/assign/device/matrix_centroids.hpp>
#include <bowhist/assign/device/tile_screen.hpp>
#include <bowhist/assign/device/wgmma_kernel.hpp>
#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/round_up.hpp>
#include <bowhist/device/opencl.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace bowhist {
namespace {

constexpr std::size_t contest_share = 8;     // work-items an entry, in a warp: they read 128 bytes
constexpr std::size_t count_rows = 4096;     // a group
constexpr std::size_t local_words = 4096;    // counters that fit beside everything else
constexpr std::size_t most_dimensions = 128; // held in registers, as fragments
constexpr std::size_t most_words = 65536;    // gpu7.cl numbers their blocks in a score's low bits
constexpr std::size_t most_wgmma_words = std::size_t{1} << 20; // as tests and measurements go
constexpr std::size_t largest_group = COUNT_GROUP;
constexpr std::size_t local_bytes = 49152; // of a group, at most: all that such GPUs give it

/// False for devices on which a test replaces gpu7.cl and matrix.cl.
bool is_nvidia(const Device &device) {
    return device.info().compute_capability > 0;
}

std::size_t groups_for(std::size_t rows, std::size_t rows_a_group, std::size_t most) {
    return std::clamp<std::size_t>(divided_up(rows, rows_a_group), 1, most);
}

bool has_wgmma(const DeviceInfo &info, std::size_t dimensions) {
    // The instructions belong to sm_90a alone: later GPUs do without them.
    return info.compute_capability == 90 && dimensions <= WGMMA_DIMENSIONS;
}

/// Notes why not, where the device should.
bool wgmma_runs(Device &device, std::size_t dimensions, Observer &observer) {
    if (!has_wgmma(device.info(), dimensions)) return false;
    std::string why = "its sums leave their bound";
    try {
        if (wgmma_keeps_the_bound(device)) return true;
    } catch (const BuildFailure &failure) {
        why = failure.what();
    }
    observer.note("gpu7: mma.sync in place of wgmma: " + why);
    return false;
}

} // namespace

std::optional<std::string> matrix_obstacle(const DeviceInfo &info, const DeviceLimits &limits,
                                           std::size_t dimensions, std::size_t k) {
    if (info.compute_capability < 80)
        return fmt::format("{} has no matrix units that OpenCL reaches (it takes an NVIDIA GPU of "
                           "compute capability 8.0 or later)",
                           info.name);
    if (!limits.fp64) return fmt::format("{} has no fp64 for its contests", info.name);
    if (limits.loop_steps != DeviceLimits{}.loop_steps)
        return fmt::format("{} ends loops after {} steps", info.name, limits.loop_steps);
    if (limits.work_group_size < largest_group || limits.local_bytes < local_bytes)
        return fmt::format("its kernels take groups of {} work-items and {} bytes of local memory, "
                           "and {} allows {} and {}",
                           largest_group, local_bytes, info.name, limits.work_group_size,
                           limits.local_bytes);
    if (dimensions % 4 != 0 || dimensions > most_dimensions)
        return fmt::format(
            "it keeps descriptors in registers, of dimensions that are multiples of 4 "
            "up to {}, not {}",
            most_dimensions, dimensions);
    const std::size_t most = has_wgmma(info, dimensions) ? most_wgmma_words : most_words;
    if (k > most)
        return fmt::format("it takes {} words at most on {}, not {}; gpu6 takes any number", most,
                           info.name, k);
    return std::nullopt;
}

MatrixScreen::MatrixScreen(std::shared_ptr<Device> device, const Vocabulary &vocabulary,
                           const Buffer<float> &centroids, const AssignOptions &options)
    : device_(std::move(device)), centroids_(centroids),
      bound_(float32_bound(vocabulary.dimensions, options.bound_scale)),
      contest_share_(is_nvidia(*device_) ? contest_share : 1) {
    pass_.bound_scale = static_cast<float>(options.bound_scale);
    const MatrixCentroids packed = upload(vocabulary);
    shape_ = fmt::format("-DDIMENSIONS={} -DSTEPS={}", vocabulary.dimensions, packed.steps);
    if (wgmma_runs(*device_, vocabulary.dimensions, *options.observer))
        wgmma_.emplace(*device_, vocabulary, packed, options);
    else
        assign_ = device_->kernel(
            "gpu7.cl", "assign",
            fmt::format("{} -DRANK_BITS={}{}", shape_, std::bit_width(packed.blocks - 1),
                        is_nvidia(*device_) ? " -cl-nv-maxrregcount=128" : ""));
    contest_ = device_->kernel("contest.cl", "contest",
                               fmt::format("{} -DSHARE={}", shape_, contest_share_));
    crowd_ = device_->kernel("crowd.cl", "crowd", shape_);
    count_ = device_->kernel("count.cl", "count",
                             fmt::format("-DLOCAL_WORDS={} -DROWS={}", local_words, count_rows));
    settled_ = device_->allocate<cl_uint>(1);
    device_->fill<cl_uint>(settled_, 0, 1);
}

MatrixCentroids MatrixScreen::upload(const Vocabulary &vocabulary) {
    MatrixCentroids packed(vocabulary);
    renew<cl_ushort>(*device_, fragments_, packed.fragments);
    renew<float>(*device_, starts_, packed.starts);
    pass_.k = static_cast<cl_uint>(vocabulary.size());
    pass_.blocks = static_cast<cl_uint>(packed.blocks);
    pass_.rounding = static_cast<float>(matrix_rounding(16 * packed.steps));
    take(packed);
    return packed;
}

void MatrixScreen::take(const MatrixExtent &extent) {
    pass_.scale = extent.scale;
    pass_.centroid_norm = extent.norm;
    pass_.centroid_residual = extent.residual;
    pass_.half_square = extent.half_square;
}

bool MatrixScreen::replace(const Vocabulary &vocabulary, const Buffer<float> &centroids) {
    const MatrixCentroids packed = upload(vocabulary);
    if (wgmma_) wgmma_->replace(*device_, vocabulary, packed);
    centroids_ = centroids;
    return true;
}

bool MatrixScreen::pack(const DeviceCentroids &centroids) {
    if (!pack_) pack_ = device_->kernel("pack_matrix.cl", "pack_matrix", shape_);
    device_->launch(*pack_, {pass_.k * std::size_t{PACK_GROUP}, 1}, {PACK_GROUP, 1},
                    centroids.values, centroids.squares, fragments_, starts_, centroids.extent);
    if (wgmma_) wgmma_->pack(*device_, centroids);
    return true;
}

void MatrixScreen::resume(const DeviceCentroids &centroids, std::span<const cl_uint> extent) {
    const MatrixExtent bounds = matrix_extent(extent);
    take(bounds);
    if (wgmma_) wgmma_->resume(bounds, std::bit_cast<float>(extent[EXTENT_LOWEST]));
    centroids_ = centroids.values;
}

void MatrixScreen::reserve(std::size_t rows) {
    contested_ = device_->allocate<cl_uint>(4 * (rows + 1));
    crowded_ = device_->allocate<cl_uint>(2 * (rows + 1));
}

void MatrixScreen::run(const DeviceDescriptors &x, const DeviceWords &found) {
    device_->fill<cl_uint>(contested_, 0, 1);
    device_->fill<cl_uint>(crowded_, 0, 2);
    if (wgmma_)
        wgmma_->launch(*device_, x, found, contested_, crowded_);
    else
        device_->launch(assign_, {x.capacity, 1}, {MATRIX_GROUP, 1}, x.values, x.count, fragments_,
                        starts_, pass_, found.words, contested_, crowded_, found.unproven);
    // The device alone knows the lists' lengths: enough groups to fill it share them.
    const std::size_t units = device_->info().compute_units;
    const std::size_t n = x.capacity;
    device_->launch(contest_,
                    {groups_for(n, CONTEST_GROUP / contest_share_, 16 * units) * CONTEST_GROUP, 1},
                    {CONTEST_GROUP, 1}, x.values, centroids_, bound_.relative, bound_.absolute,
                    found.words, contested_);
    device_->launch(crowd_, {groups_for(n, CROWD_ROWS, 8 * units) * CROWD_GROUP, 1},
                    {CROWD_GROUP, 1}, x.values, centroids_, fragments_, starts_, pass_, found.words,
                    crowded_, found.unproven);
    device_->launch(count_, {groups_for(n, count_rows, n) * COUNT_GROUP, 1}, {COUNT_GROUP, 1},
                    found.words, x.bag, x.count, pass_.k, found.histograms, contested_, crowded_,
                    settled_);
}

std::unique_ptr<DeviceScreen> make_matrix_screen(const std::shared_ptr<Device> &device,
                                                 const Vocabulary &vocabulary,
                                                 const Buffer<float> &centroids,
                                                 const AssignOptions &options) {
    const bool sound = device->verdict("gpu7's arithmetic", [&] {
        const bool decides = device->limits().fp64; // withdrawn where float64 is wrong
        if (decides && keeps_the_bound(*device)) return true;
        options.observer->warning(fmt::format(
            "gpu6 runs in place of gpu7, whose proof does not hold for the {} of {}; give "
            "--kernel gpu6 to avoid this warning",
            decides ? "matrix units" : "float64 arithmetic", device->info().name));
        return false;
    });
    const bool fits = vocabulary.size() <= most_words ||
                      wgmma_runs(*device, vocabulary.dimensions, *options.observer);
    if (sound && fits)
        return std::make_unique<MatrixScreen>(device, vocabulary, centroids, options);
    return make_tile_screen(device, vocabulary, centroids, options);
}

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
