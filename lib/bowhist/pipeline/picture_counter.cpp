#include <bowhist/pipeline/picture_counter.hpp>

#include <bowhist/assign/device/device_assigner.hpp>
#include <bowhist/extract/device/device_dense.hpp>
#include <bowhist/extract/extractor.hpp>

#include <algorithm>
#include <random>

namespace bowhist {
namespace {

class DenseCounter : public PictureCounter {
  public:
    DenseCounter(const Recipe &recipe, DeviceAssigner &assigner)
        : recipe_(recipe), shapes_(patch_shapes(recipe)), assigner_(assigner),
          device_(assigner.device()), dense_(device_, recipe) {}

    bool takes(const Image &image) const override {
        return image.pixels.size() <= batch_pixels() &&
               patch_count(shapes_, recipe_.step, image.width, image.height) <= most_patches();
    }

    /// The densest part of a picture has as many patches as this allows for.
    std::size_t batch_pixels() const override {
        constexpr std::size_t enough = std::size_t{32} << 20;
        const auto step = static_cast<std::size_t>(recipe_.step);
        return std::min(enough, most_patches() * step * step / shapes_.size());
    }

    std::vector<std::uint32_t> run(std::span<const Image> pictures) override {
        DevicePictures there;
        pixels_.clear();
        for (const Image &image : pictures) {
            there.pictures.push_back(
                {static_cast<cl_uint>(pixels_.size()), image.width, image.height});
            pixels_.insert(pixels_.end(), image.pixels.begin(), image.pixels.end());
        }
        if (there_.size < pixels_.size()) there_ = device_->allocate<cl_uchar>(pixels_.size());
        device_->upload<cl_uchar>(there_, pixels_);
        there.pixels = there_;
        return assigner_.count(dense_.extract(there), pictures.size());
    }

  private:
    /// Descriptors in a buffer; the kernels' indices have 32 bits.
    std::size_t most_patches() const {
        const std::uint64_t bytes = device_->limits().allocation_bytes;
        return std::min<std::size_t>(bytes / (dense_dimensions * sizeof(float)),
                                     (std::size_t{1} << 31) / dense_dimensions);
    }

    Recipe recipe_;
    std::vector<PatchShape> shapes_;
    DeviceAssigner &assigner_;
    std::shared_ptr<Device> device_;
    DeviceDense dense_;
    std::vector<cl_uchar> pixels_;
    Buffer<cl_uchar> there_;
};

bool runs_on_devices(const Recipe &recipe) {
    return recipe.extractor == "dense" && recipe.max_descriptors == 0;
}

/// Whether the device rounds as the host does: the descriptors of a picture of noise, bit for bit.
bool makes_the_hosts(const std::shared_ptr<Device> &device) {
    constexpr int side = 96;
    Image noise{side, side, std::vector<std::uint8_t>(side * side)};
    std::mt19937 random(1);
    for (auto &pixel : noise.pixels) pixel = static_cast<std::uint8_t>(random() >> 24);
    const Recipe recipe = completed({.extractor = "dense"});
    const Descriptors expected = make_extractor(recipe)->extract(noise);
    DeviceDense dense(device, recipe);
    const DeviceDescriptors &found =
        dense.extract({uploaded<cl_uchar>(*device, noise.pixels), {{0, side, side}}});
    std::vector<float> values(std::min(expected.values.size(), found.values.size));
    device->download(std::span(values), found.values);
    return values == expected.values;
}

} // namespace

bool suits_a_gpu(const Recipe &recipe) {
    return runs_on_devices(recipe) && std::ranges::any_of(devices(), [](const DeviceInfo &device) {
               return device.kind == DeviceKind::gpu;
           });
}

std::unique_ptr<PictureCounter> make_picture_counter(const Recipe &recipe, Assigner &assigner,
                                                     bool anywhere) {
    auto *on_device = dynamic_cast<DeviceAssigner *>(&assigner);
    if (on_device == nullptr || !runs_on_devices(recipe)) return nullptr;
    const std::shared_ptr<Device> &device = on_device->device();
    if (!anywhere && device->info().kind != DeviceKind::gpu) return nullptr;
    if (!device->info().rounds_to_nearest || device->limits().work_group_size < POOL_GROUP)
        return nullptr;
    if (!device->verdict("dense", [&] { return makes_the_hosts(device); })) return nullptr;
    return std::make_unique<DenseCounter>(recipe, *on_device);
}

} // namespace bowhist
