#include <bowhist/assign/device/tile_screen.hpp>
#include <bowhist/assign/level.hpp>
#include <bowhist/core/round_up.hpp>
#include <bowhist/device/build_failure.hpp>

#include <fmt/format.h>

#include <bit>

namespace bowhist {

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

} // namespace bowhist
