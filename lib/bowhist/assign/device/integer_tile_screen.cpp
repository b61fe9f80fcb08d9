#include <bowhist/assign/device/tile_screen.hpp>
#include <bowhist/assign/host/simd/integer_words.hpp>
#include <bowhist/assign/level.hpp>
#include <bowhist/core/round_up.hpp>

#include <fmt/format.h>

#include <bit>

namespace bowhist {
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
