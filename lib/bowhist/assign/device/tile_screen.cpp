#include <bowhist/assign/device/tile_screen.hpp>

#include <bowhist/assign/host/simd/integer_words.hpp>
#include <bowhist/assign/level.hpp>
#include <bowhist/core/round_up.hpp>
#include <bowhist/device/opencl.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <vector>

namespace bowhist {
namespace {

constexpr std::size_t dimension_multiple = 4; // the kernels read float4s

/// A shape of gpu6.cl. @param patch centroids a work-item
TileShape group_tiles(std::string_view name, std::size_t down, std::size_t across,
                      std::size_t patch, std::size_t slice) {
    const std::size_t rows = down * TILE_PATCH_ROWS;
    const std::size_t columns = across * patch;
    const std::size_t floats =
        std::max(TILE_SLICE_FLOATS(rows, columns, slice), TILE_MEETING_FLOATS(rows, across)) +
        rows * slice / 4;
    return {.name = name,
            .source = "gpu6.cl",
            .options =
                fmt::format("-DGROUP_DOWN={} -DGROUP_ACROSS={} -DPATCH_COLUMNS={} -DSLICE={}", down,
                            across, patch, slice),
            .group = down * across,
            .rows = rows,
            .columns = columns,
            .slice = slice,
            .local_bytes = floats * sizeof(float)};
}

/// A shape of gpu6_cpu.cl.
TileShape lane_tiles(std::string_view name, std::size_t columns, std::size_t vector_width) {
    return {.name = name,
            .source = "gpu6_cpu.cl",
            .options = fmt::format("-DCOLUMNS={}", columns),
            .group = 1,
            .rows = CPU_LANES,
            .columns = columns,
            .slice = 1,
            .local_bytes = 0,
            .most_dimensions = 512,
            .for_cpu = true,
            .vector_width = vector_width};
}

// The figures are TFLOP/s or shares of the FMA peak at D = 64 (docs/performance.md).
const std::array<TileShape, 5> shapes = {
    // NVIDIA H200, k = 1024 / 4096: 42 / 44 TFLOP/s of 64, before operands were read ahead. With
    // 256 work-items a group 41 / 44, with 8 x 8 scores a work-item 40 / 41.
    group_tiles("128x128", 16, 8, 16, 8),
    // For devices with small groups or little local memory.
    group_tiles("64x64", 8, 8, 8, 8),
    // Zen 4 (AVX-512 with VNNI) by PoCL: 1.17, 1.02 and 0.98 times as fast as the level simd at k
    // = 64, 256 and 1024 (CPU time, a busy machine). 64 x 6 and 80 x 5 are within 3 points,
    // vpmaddwd and vpaddd in place of VNNI take a quarter longer.
    TileShape{.name = "48 lanes x 8, integers",
              .source = "gpu6_cpu_16bit.cl",
              .options = "",
              .group = 1,
              .rows = CPU_INTEGER_ROWS,
              .columns = CPU_LANES,
              .slice = 1,
              .local_bytes = 0,
              .most_dimensions = 512,
              .for_cpu = true,
              .vector_width = 16,
              .integers = true},
    // Zen 4 (AVX-512) by PoCL, one core of a busy machine: 59 … 77, 82 … 86 and 92 % at k = 64, 256
    // and 1024. 6, 8 or 12 columns, and two or three vectors of descriptors, are within 3 points;
    // a core that multiplies two vectors a cycle needs 8 columns at least.
    lane_tiles("16 lanes x 16", 16, 16),
    // AVX2, half the registers of half the width: 83 and 90 % at k = 256 and 1024 (clang 14, the
    // same machine); 4, 8 and 16 columns reach 84, 54 and 59 % at k = 1024.
    lane_tiles("16 lanes x 6", 6, 1),
};

bool suits(const TileShape &shape, const DeviceInfo &info) {
    return shape.for_cpu == (info.kind == DeviceKind::cpu) &&
           shape.vector_width <= std::max<std::size_t>(1, info.preferred_float_vector) &&
           (!shape.integers || info.avx512_vnni);
}

bool fits(const TileShape &shape, const DeviceLimits &limits, std::size_t dimensions) {
    return shape.group <= limits.work_group_size && shape.local_bytes <= limits.local_bytes &&
           dimensions <= shape.most_dimensions &&
           (!shape.integers || limits.fp64); // it decides near ties itself
}

/// Bytes of the packed and padded centroids.
std::uint64_t packed_bytes(const TileShape &shape, std::size_t dimensions, std::size_t k) {
    const std::uint64_t padded_dimensions = round_up(dimensions, shape.slice);
    const std::uint64_t one_slice_more = std::uint64_t{shape.slice} * shape.columns;
    return (round_up(k, shape.columns) * padded_dimensions + one_slice_more) * sizeof(float);
}

} // namespace

std::span<const TileShape> tile_shapes() {
    return shapes;
}

const TileShape *tile_shape(const DeviceInfo &info, const DeviceLimits &limits,
                            std::size_t dimensions, bool integers) {
    const auto found = std::ranges::find_if(shapes, [&](const TileShape &shape) {
        return suits(shape, info) && fits(shape, limits, dimensions) &&
               (integers || !shape.integers);
    });
    return found == shapes.end() ? nullptr : &*found;
}

std::optional<std::string> tile_obstacle(const Device &device, std::size_t dimensions,
                                         std::size_t k) {
    if (dimensions % dimension_multiple != 0)
        return fmt::format("it takes dimensions that are multiples of {}, not {}",
                           dimension_multiple, dimensions);
    const DeviceLimits &limits = device.limits();
    const TileShape *shape = tile_shape(device.info(), limits, dimensions);
    if (shape == nullptr) {
        // The last shape for the kind of device is the least demanding.
        const auto least = std::ranges::find_if(
            shapes.rbegin(), shapes.rend(), [&](const auto &s) { return suits(s, device.info()); });
        if (dimensions > least->most_dimensions)
            return fmt::format("a work-item keeps {} whole descriptors, of up to {} dimensions, "
                               "not {}",
                               least->rows, least->most_dimensions, dimensions);
        return fmt::format("its smallest tile takes groups of {} work-items with {} bytes of local "
                           "memory, and {} allows {} with {}",
                           least->group, least->local_bytes, device.info().name,
                           limits.work_group_size, limits.local_bytes);
    }
    // A tile takes a step for each dimension, and some more; half are left for other loops.
    const std::uint64_t steps = divided_up(k, shape->columns) * (dimensions + 4);
    if (steps > limits.loop_steps / 2)
        return fmt::format(
            "{} ends loops after {} steps, and {} words of {} dimensions may take {}",
            device.info().name, limits.loop_steps, k, dimensions, steps);
    const std::uint64_t bytes = packed_bytes(*shape, dimensions, k);
    if (bytes > limits.allocation_bytes)
        return fmt::format("{} words of {} dimensions take {} bytes as tiles, and a buffer on {} "
                           "holds {}",
                           k, dimensions, bytes, device.info().name, limits.allocation_bytes);
    return std::nullopt;
}

ScorePass tile_search(std::size_t k, const DotBound &bound) {
    return {.n = 0,
            .k = static_cast<cl_uint>(k),
            .margin = bound.constant,
            .linear = bound.linear,
            .quadratic = bound.quadratic,
            .largest_norm = bound.largest_norm};
}

Buffer<float> upload_tiles(Device &device, const TileShape &shape, const Vocabulary &vocabulary) {
    const std::size_t dimensions = vocabulary.dimensions;
    const std::size_t padded = round_up(dimensions, shape.slice);
    std::vector<float> packed(packed_bytes(shape, dimensions, vocabulary.size()) / sizeof(float));
    for (std::size_t j = 0; j < vocabulary.size(); ++j) {
        const std::size_t tile = j / shape.columns * padded * shape.columns;
        for (std::size_t i = 0; i < dimensions; ++i)
            packed[tile + i * shape.columns + j % shape.columns] = vocabulary.row(j)[i];
    }
    return uploaded(device, packed);
}

Buffer<float> upload_starts(Device &device, const TileShape &shape, const Vocabulary &vocabulary) {
    const std::size_t tiles = divided_up(vocabulary.size(), shape.columns);
    std::vector<float> starts(tiles * shape.columns, -std::numeric_limits<float>::infinity());
    for (std::size_t j = 0; j < vocabulary.size(); ++j) starts[j] = score_start(vocabulary.row(j));
    return uploaded(device, starts);
}

TileScreen::TileScreen(std::shared_ptr<Device> device, const TileShape &shape,
                       const Vocabulary &vocabulary, const AssignOptions &options)
    : device_(std::move(device)), shape_(shape), dimensions_(vocabulary.dimensions),
      bound_scale_(options.bound_scale),
      search_(tile_search(vocabulary.size(), dot_bound(vocabulary, bound_scale_))),
      assign_(
          device_->kernel(std::string(shape.source), "assign",
                          fmt::format("-DDIMENSIONS={} {}", vocabulary.dimensions, shape.options))),
      centroids_(upload_tiles(*device_, shape, vocabulary)),
      starts_(upload_starts(*device_, shape, vocabulary)) {}

bool TileScreen::pack(const DeviceCentroids &centroids) {
    if (!pack_)
        pack_ = device_->kernel("pack_tiles.cl", "pack_tiles",
                                fmt::format("-DDIMENSIONS={} -DPADDED={} -DCOLUMNS={}", dimensions_,
                                            round_up(dimensions_, shape_.slice), shape_.columns));
    device_->launch(*pack_, {search_.k * dimensions_, 1}, {PACK_GROUP, 1}, centroids.values,
                    centroids.squares, search_.k, centroids_, starts_);
    return true;
}

void TileScreen::resume(const DeviceCentroids & /*centroids*/, std::span<const cl_uint> extent) {
    const double norm = std::bit_cast<float>(extent[EXTENT_NORM]);
    search_ = tile_search(search_.k, dot_bound(dimensions_, norm * norm, bound_scale_));
}

void TileScreen::run(const DeviceDescriptors &x, const DeviceWords &found) {
    const std::size_t groups = divided_up(x.capacity, shape_.rows);
    device_->launch(assign_, {groups * shape_.group, 1}, {shape_.group, 1}, x.values, x.count,
                    centroids_, starts_, search_, x.bag, found.words, found.histograms,
                    found.unproven);
}

std::unique_ptr<DeviceScreen> make_tile_screen(const std::shared_ptr<Device> &device,
                                               const Vocabulary &vocabulary,
                                               const Buffer<float> &centroids,
                                               const AssignOptions &options) {
    const auto shape = [&](bool integers) {
        return tile_shape(device->info(), device->limits(), vocabulary.dimensions, integers);
    };
    // Numbers of words must leave room in an integer score. With 16 words both take the same time.
    const std::size_t k = vocabulary.size();
    const bool integers_pay = k > 16 && k <= 65536 && vocabulary.dimensions >= 16;
    if (const TileShape *first = shape(integers_pay); first->integers) {
        try {
            if (auto screen =
                    make_integer_tile_screen(device, *first, vocabulary, centroids, options))
                return screen;
        } catch (const BuildFailure &error) { // not every compiler for CPUs takes its assembly
            if (device->has_own_kernels()) throw;
            options.observer->note(
                fmt::format("gpu6: float32 in place of integers: {}", error.what()));
        }
    }
    return std::make_unique<TileScreen>(device, *shape(false), vocabulary, options);
}

namespace {

constexpr double largest_scale = 0x1p49; // of rows so short that any suits them

Buffer<cl_int> upload_pairs(Device &device, const PackedWords<std::int32_t> &pairs) {
    return uploaded(device, std::span(pairs.block(0), pairs.padded_words() * pairs.steps()));
}

/// The coefficients of the lead that proves the best score (docs/words.md), for powers of what a
/// row has.
IntegerPass integer_search(const IntegerWords &words, std::size_t k) {
    const double pay = 1.001 * words.bound_scale; // for norms, and float32 sums of these
    const double length = words.scale * words.longest;
    const double rule = 0x1p-53 * static_cast<double>(words.dimensions + 4);
    const auto number_mask = static_cast<cl_int>(std::bit_ceil(k) - 1);
    const auto in_float = [pay](double value) { return static_cast<cl_float>(pay * value); };
    return {.scale = static_cast<cl_float>(words.scale),
            .length = static_cast<cl_float>(length),
            .half_norm = static_cast<cl_float>(words.longest / 2),
            .base = in_float(2 + 2.0 * number_mask + 2),
            .residual = in_float(2 * (words.residual + length)),
            .linear = in_float(2 * words.residual + 2 * rule * length),
            .quadratic = in_float(rule * words.scale),
            .per_scale = in_float((0x1p-22 + rule) * length * words.longest),
            .longest_row = static_cast<cl_float>(longest_integer_row),
            .largest_score = static_cast<cl_float>(largest_integer_score),
            .largest_scale = static_cast<cl_float>(largest_scale),
            .number_mask = number_mask};
}

/// Register tiles of scores in 16-bit integers, gpu6 on CPUs (gpu6_cpu_16bit.cl). Rows that these
/// do not prove are settled in the same launch, in float32 and by the rule among few words. Rows
/// with many contenders or without a finite bound are left.
class IntegerTileScreen : public DeviceScreen {
  public:
    /// @param words packed for the shape: tiles of its columns, a lane each
    IntegerTileScreen(std::shared_ptr<Device> device, const TileShape &shape,
                      const Vocabulary &vocabulary, const IntegerWords &words,
                      const Buffer<float> &centroids, double bound_scale)
        : device_(std::move(device)), shape_(shape),
          search_(tile_search(vocabulary.size(), dot_bound(vocabulary, bound_scale))),
          integers_(integer_search(words, vocabulary.size())),
          assign_(device_->kernel(std::string(shape.source), "assign",
                                  fmt::format("-DDIMENSIONS={} {} {}", vocabulary.dimensions,
                                              device_->info().avx512_vnni ? "-DVNNI" : "",
                                              shape.options))),
          centroids_(centroids), pairs_(upload_pairs(*device_, words.pairs)),
          tiles_(upload_tiles(*device_, shape, vocabulary)),
          starts_(upload_starts(*device_, shape, vocabulary)),
          contested_(device_->allocate<cl_uint>(1)) {
        device_->fill<cl_uint>(contested_, 0, 1);
    }

    void reserve(std::size_t) override {} // it needs no memory of its own
    std::string_view source() const override { return shape_.source; }
    void run(const DeviceDescriptors &x, const DeviceWords &found) override {
        const std::size_t groups = divided_up(x.capacity, shape_.rows);
        device_->launch(assign_, {groups, 1}, {1, 1}, x.values, x.count, centroids_, pairs_, tiles_,
                        starts_, search_, integers_, x.bag, found.words, found.histograms,
                        found.unproven, contested_);
    }
    const Buffer<cl_uint> *contested() const override { return &contested_; }

  private:
    std::shared_ptr<Device> device_;
    TileShape shape_;
    ScorePass search_; ///< of the second look
    IntegerPass integers_;
    Kernel assign_;
    Buffer<float> centroids_;
    Buffer<cl_int> pairs_;      ///< packed
    Buffer<float> tiles_;       ///< packed
    Buffer<float> starts_;      ///< −‖c‖²/2
    Buffer<cl_uint> contested_; ///< one number
};

} // namespace

std::unique_ptr<DeviceScreen> make_integer_tile_screen(const std::shared_ptr<Device> &device,
                                                       const TileShape &shape,
                                                       const Vocabulary &vocabulary,
                                                       const Buffer<float> &centroids,
                                                       const AssignOptions &options) {
    const auto words = pack_integers(vocabulary, {shape.columns, 1}, options.bound_scale);
    if (!words) return nullptr;
    return std::make_unique<IntegerTileScreen>(device, shape, vocabulary, *words, centroids,
                                               options.bound_scale);
}

} // namespace bowhist
