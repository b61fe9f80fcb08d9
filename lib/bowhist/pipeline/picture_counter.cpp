#include <bowhist/pipeline/picture_counter.hpp>

#include <bowhist/assign/device/device_assigner.hpp>
#include <bowhist/extract/device/device_extractor.hpp>
#include <bowhist/extract/extractor.hpp>

#include <algorithm>
#include <random>

namespace bowhist {
namespace {

class DeviceCounter : public PictureCounter {
  public:
    DeviceCounter(const Recipe &recipe, DeviceAssigner &assigner)
        : assigner_(assigner), device_(assigner.device()),
          extractor_(make_device_extractor(device_, recipe)) {}

    std::size_t batch_pixels() const override {
        constexpr std::size_t enough = std::size_t{32} << 20;
        return std::min(enough, extractor_->most_pixels());
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
        auto counts = assigner_.count(extractor_->extract(there), pictures.size());
        if (extractor_->wants_room())
            counts = assigner_.count(extractor_->extract(there), pictures.size());
        return counts;
    }

  private:
    DeviceAssigner &assigner_;
    std::shared_ptr<Device> device_;
    std::unique_ptr<DeviceExtractor> extractor_;
    std::vector<cl_uchar> pixels_;
    Buffer<cl_uchar> there_;
};

/// Whether the device rounds as the host does: the descriptors of a picture of noise, bit for bit.
bool makes_the_hosts(const std::shared_ptr<Device> &device, const std::string &extractor) {
    constexpr int side = 96;
    Image noise{side, side, std::vector<std::uint8_t>(side * side)};
    std::mt19937 random(1);
    for (auto &pixel : noise.pixels) pixel = static_cast<std::uint8_t>(random() >> 24);
    const Recipe recipe = completed({.extractor = extractor});
    const Descriptors expected = make_extractor(recipe)->extract(noise);
    const auto on_device = make_device_extractor(device, recipe);
    const DeviceDescriptors &found =
        on_device->extract({uploaded<cl_uchar>(*device, noise.pixels), {{0, side, side}}});
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
    if (!device->verdict(recipe.extractor,
                         [&] { return makes_the_hosts(device, recipe.extractor); }))
        return nullptr;
    return std::make_unique<DeviceCounter>(recipe, *on_device);
}

} // namespace bowhist
