#include <bowhist/extract/device/device_extractor.hpp>

#include <bowhist/extract/dense/dense_grid.hpp>
#include <bowhist/extract/device/device_greys.hpp>
#include <bowhist/extract/device/device_spread.hpp>
#include <bowhist/extract/device/device_surf.hpp>
#include <bowhist/extract/device/parts.hpp>
#include <bowhist/ops/image_batch.hpp>
#include <bowhist/ops/scan.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace bowhist {
namespace {

/// Dense descriptors on a device.
class DeviceDense : public DeviceExtractor {
  public:
    /// As make_device_extractor.
    DeviceDense(std::shared_ptr<Device> device, const Recipe &recipe, bool locates = false);

    const DeviceDescriptors &extract(const DeviceImageList &images) override;
    std::size_t most_pixels() const override;

  private:
    struct SizeKernel { ///< of one size of patches
        PatchShape shape;
        Kernel pool;
        Buffer<cl_float> cells;
    };
    struct Size;
    struct Plan;

    Plan plan(const std::vector<LaunchImage> &images);
    void pool(SizeKernel &size, const Size &part);
    void locate(const PatchShape &shape, const Size &part);

    std::shared_ptr<Device> device_;
    Recipe recipe_;
    DeviceGreys greys_;
    Kernel weigh_;
    DeviceStrongest strongest_;
    Kernel describe_;
    std::optional<Kernel> locate_; ///< where descriptors have keypoints
    std::vector<SizeKernel> sizes_;
    Buffer<cl_float> squares_; ///< of each patch
    Buffer<cl_float> responses_;
    Buffer<cl_uint> kept_;
    Buffer<cl_uint> places_;
    Bundle bundle_;
    DeviceDescriptors found_;
};

/// The most patches that a pooling group serves: its columns reach over all their cells.
int patches_of_tile(const PatchShape &shape, int step) {
    return (DENSE_POOL_GROUP - (5 * shape.cell() - 1)) / step + 1;
}

/// All patches of one size in a launch, and where the device finds them.
struct DeviceDense::Size {
    std::vector<DenseGrid> grids; ///< of the images that have any such patch
    Parts tiles;                  ///< of each grid: pooling groups, patches, cells
    Parts patches;
    Parts cells;
    Buffer<DenseGrid> its_grids = {};
};

/// The patches of a launch, the images' one behind another.
struct DeviceDense::Plan {
    std::vector<Size> sizes;
    DeviceGreys::Layout layout;
    std::size_t patches = 0;
    std::vector<cl_uint> ends = {}; ///< of each image's patches
    Buffer<cl_uint> its_ends = {};
};

DeviceDense::DeviceDense(std::shared_ptr<Device> device, const Recipe &recipe, bool locates)
    : device_(std::move(device)), recipe_(recipe), greys_(*device_),
      weigh_(device_->kernel("dense_weigh.cl", "weigh")), strongest_(*device_, recipe),
      describe_(device_->kernel("dense_describe.cl", "describe")) {
    for (const PatchShape &shape : patch_shapes(recipe)) {
        const auto options =
            fmt::format("-DCELL={} -DBITS={}", shape.cell(), 4 - shape.fraction_bits());
        sizes_.push_back({shape, device_->kernel("dense_pool.cl", "pool", options), {}});
    }
    if (locates) locate_ = device_->kernel("dense_keypoints.cl", "locate");
    found_.dimensions = dense_dimensions;
    found_.count = device_->allocate<cl_uint>(2);
}

/// Their descriptors must fit a quarter of a buffer (a level may copy them), with 32-bit indices.
std::size_t DeviceDense::most_pixels() const {
    const std::uint64_t bytes = device_->limits().allocation_bytes;
    const std::size_t most_patches = std::min<std::size_t>(
        bytes / (4 * dense_dimensions * sizeof(float)), (std::size_t{1} << 31) / dense_dimensions);
    const auto apart =
        static_cast<std::size_t>(std::min(dense_step(recipe_, 1, 1), smallest_patch));
    return most_patches * apart * apart / sizes_.size();
}

/// Sends everything that the launches read of it to the device.
DeviceDense::Plan DeviceDense::plan(const std::vector<LaunchImage> &images) {
    Plan plan;
    plan.sizes.resize(sizes_.size());
    for (const LaunchImage &image : images) {
        plan.layout.add(image.width, image.height);
        const int step = dense_step(recipe_, image.width, image.height);
        for (std::size_t i = 0; i < sizes_.size(); ++i) {
            Size &size = plan.sizes[i];
            const GridAxis across = grid_axis(image.width, step, sizes_[i].shape);
            const GridAxis down = grid_axis(image.height, step, sizes_[i].shape);
            const std::size_t patches = area(across.patches, down.patches);
            if (patches == 0) continue;
            const auto bag = static_cast<cl_uint>(&image - images.data());
            const int tile = patches_of_tile(sizes_[i].shape, step);
            const int tiles = (across.patches + tile - 1) / tile;
            size.grids.push_back({.across = across,
                                  .down = down,
                                  .tile = tile,
                                  .image = image,
                                  .bag = bag,
                                  .first_cell = as_uint(size.cells.total),
                                  .first_patch = as_uint(plan.patches)});
            size.tiles.add(area(down.cells, tiles));
            size.cells.add(area(across.cells, down.cells));
            size.patches.add(patches);
            plan.patches += patches;
        }
        plan.ends.push_back(as_uint(plan.patches));
    }
    plan.layout.join(bundle_);
    bundle_.add(plan.ends, plan.its_ends);
    for (Size &size : plan.sizes) {
        bundle_.add(size.grids, size.its_grids);
        size.tiles.join(bundle_);
        size.patches.join(bundle_);
    }
    bundle_.send(*device_);
    return plan;
}

const DeviceDescriptors &DeviceDense::extract(const DeviceImageList &images) {
    const Plan plan = this->plan(images.images);
    device_->fill<cl_uint>(found_.count, 0, found_.count.size);
    found_.capacity = strongest_.most_of(plan.patches, plan.ends.size());
    if (plan.patches == 0) return found_;
    reserve(*device_, squares_, plan.patches);
    reserve(*device_, responses_, plan.patches);
    reserve(*device_, kept_, plan.patches + 1);
    reserve(*device_, places_, plan.patches + 1);
    reserve(*device_, found_.values, found_.capacity * dense_dimensions);
    reserve(*device_, found_.bag, found_.capacity);
    if (locate_) reserve(*device_, found_.keypoints, found_.capacity);
    device_->fill<cl_uint>(kept_, 0, plan.patches + 1);
    greys_.start(images.pixels);
    int rounds = 0;
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
        if (plan.sizes[i].grids.empty()) continue;
        for (; rounds < sizes_[i].shape.smoothings(); ++rounds)
            greys_.smooth(*device_, plan.layout);
        pool(sizes_[i], plan.sizes[i]);
    }
    if (!strongest_.is_idle()) strongest_.keep(*device_, responses_, plan.its_ends, kept_);
    scan(*device_, kept_, places_, plan.patches + 1, ScanKind::exclusive,
         scan_method_for(*device_));
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
        const Size &size = plan.sizes[i];
        if (size.grids.empty()) continue;
        device_->launch(describe_, {size.patches.total * PATCH_CELLS * PATCH_CELLS, 1},
                        {DENSE_DESCRIBE_GROUP, 1}, sizes_[i].cells, size.its_grids,
                        size.patches.there, size.patches.count(), as_uint(size.patches.total),
                        squares_, kept_, places_, found_.values, found_.bag, found_.count,
                        as_uint(plan.patches), as_uint(found_.capacity));
        if (locate_) locate(sizes_[i].shape, size);
    }
    return found_;
}

/// Finds the places of the kept patches of a size.
void DeviceDense::locate(const PatchShape &shape, const Size &part) {
    device_->launch(*locate_, {part.patches.total, 1}, {DENSE_DESCRIBE_GROUP, 1}, part.its_grids,
                    part.patches.there, part.patches.count(), as_uint(part.patches.total),
                    shape.scale(), responses_, kept_, places_, as_uint(found_.capacity),
                    found_.keypoints);
}

/// The cells of all patches of a size, and which of these are kept.
void DeviceDense::pool(SizeKernel &size, const Size &part) {
    reserve(*device_, size.cells, part.cells.total * PATCH_CHANNELS);
    device_->launch(size.pool, {part.tiles.total * DENSE_POOL_GROUP, 1}, {DENSE_POOL_GROUP, 1},
                    greys_.greys(), part.its_grids, part.tiles.there, part.tiles.count(),
                    size.cells);
    device_->launch(weigh_, {part.patches.total, 1}, {DENSE_DESCRIBE_GROUP, 1}, size.cells,
                    part.its_grids, part.patches.there, part.patches.count(),
                    as_uint(part.patches.total), size.shape.least_squares(recipe_.threshold),
                    size.shape.contrast_unit(), squares_, responses_, kept_);
}

} // namespace

const DeviceDescriptors &extract_all(Device &device, DeviceExtractor &extractor,
                                     const DeviceImageList &images) {
    const DeviceDescriptors &found = extractor.extract(images);
    std::array<cl_uint, 2> count{};
    device.download<cl_uint>(count, found.count);
    if (count[1] == 0) return found;
    extractor.make_room(count[1]);
    return extractor.extract(images);
}

bool runs_on_devices(const Recipe &recipe) {
    return recipe.extractor == "dense" || recipe.extractor == "surf";
}

std::unique_ptr<DeviceExtractor> make_device_extractor(std::shared_ptr<Device> device,
                                                       const Recipe &recipe, bool locates) {
    if (recipe.extractor == "surf")
        return std::make_unique<DeviceSurf>(std::move(device), recipe, locates);
    return std::make_unique<DeviceDense>(std::move(device), recipe, locates);
}

bool can_extract(const Device &device) {
    const Premises &premises = device.premises();
    return device.info().rounds_to_nearest && premises.rounds_to_nearest && premises.rounds_twice &&
           device.limits().work_group_size >= DENSE_POOL_GROUP;
}

} // namespace bowhist
