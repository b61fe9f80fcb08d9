#include <bowhist/assign/device/matrix_centroids.hpp>
#include <bowhist/assign/device/matrix_screen.hpp>
#include <bowhist/assign/device/matrix_unit.hpp>
#include <bowhist/assign/device/tile_screen.hpp>
#include <bowhist/core/round_up.hpp>
#include <bowhist/device/build_failure.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>

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

} // namespace bowhist
