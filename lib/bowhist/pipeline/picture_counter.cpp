#include <bowhist/pipeline/picture_counter.hpp>

#include <bowhist/assign/device/device_assigner.hpp>
#include <bowhist/extract/device/device_extractor.hpp>
#include <bowhist/extract/device/parts.hpp>
#include <bowhist/extract/extractor.hpp>

#include <algorithm>
#include <random>

#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace bowhist {
namespace {

class DeviceCounter : public PictureCounter {
  public:
    DeviceCounter(const Recipe &recipe, DeviceAssigner &assigner)
        : assigner_(assigner), device_(assigner.device()),
          extractor_(make_device_extractor(device_, recipe)),
          batch_pixels_(std::min(std::size_t{32} << 20, extractor_->most_pixels())) {}

    std::size_t batch_pixels() const override { return batch_pixels_; }

    std::vector<std::uint32_t> run(std::span<const Image> pictures) override {
        const DevicePictures there = upload(pictures);
        auto counts = assigner_.count(extractor_->extract(there), pictures.size());
        if (extractor_->wants_room())
            counts = assigner_.count(extractor_->extract(there), pictures.size());
        return counts;
    }

    void release() override {
        extractor_.reset();
        there_ = {};
    }

  private:
    DevicePictures upload(std::span<const Image> pictures) {
        DevicePictures there;
        std::size_t pixels = 0;
        for (const Image &image : pictures) {
            there.pictures.push_back({as_uint(pixels), image.width, image.height});
            pixels += image.pixels.size();
        }
        pixels_.resize(std::max(pixels_.size(), pixels));
        const auto copy = [&](std::size_t i) {
            std::ranges::copy(pictures[i].pixels, pixels_.begin() + there.pictures[i].pixels);
        };
        // Isolated: a thread that waits here must not take up another picture meanwhile.
        tbb::this_task_arena::isolate(
            [&] { tbb::parallel_for(std::size_t{0}, pictures.size(), copy); });
        reserve(*device_, there_, pixels);
        device_->upload<cl_uchar>(there_, std::span(pixels_).first(pixels));
        there.pixels = there_;
        return there;
    }

    DeviceAssigner &assigner_;
    std::shared_ptr<Device> device_;
    std::unique_ptr<DeviceExtractor> extractor_; ///< none once released
    std::size_t batch_pixels_;
    std::vector<cl_uchar> pixels_;
    Buffer<cl_uchar> there_;
};

/// A picture of noise whose right half is flat.
Image half_noise(int side) {
    Image image{side, side, {}};
    std::mt19937 random(1);
    for (int pixel = 0; pixel < side * side; ++pixel)
        image.pixels.push_back(
            static_cast<std::uint8_t>(pixel % side < side / 2 ? random() >> 24 : 128));
    return image;
}

/// Whether the device rounds as the host does: the descriptors of two pictures, bit for bit.
bool makes_the_hosts(const std::shared_ptr<Device> &device, const Recipe &recipe) {
    const auto on_device = make_device_extractor(device, recipe);
    const auto host = make_extractor(recipe);
    DevicePictures pictures;
    std::vector<cl_uchar> pixels;
    std::vector<float> expected;
    for (const int side : {384, 75}) { // of either step of dense
        const Image image = half_noise(side);
        pictures.pictures.push_back({as_uint(pixels.size()), side, side});
        pixels.insert(pixels.end(), image.pixels.begin(), image.pixels.end());
        const Descriptors descriptors = host->extract(image);
        expected.insert(expected.end(), descriptors.values.begin(), descriptors.values.end());
    }
    pictures.pixels = uploaded(*device, pixels);
    const DeviceDescriptors *found = &on_device->extract(pictures);
    if (on_device->wants_room()) found = &on_device->extract(pictures);
    cl_uint count = 0;
    device->download(std::span(&count, 1), found->count);
    if (count * found->dimensions != expected.size()) return false;
    std::vector<float> values(expected.size());
    if (count > 0) device->download(std::span(values), found->values);
    return values == expected;
}

} // namespace

bool suits_gpus(const Recipe &recipe) {
    return runs_on_devices(recipe);
}

std::unique_ptr<PictureCounter> make_picture_counter(const Recipe &recipe, Assigner &assigner,
                                                     Observer &observer, bool anywhere) {
    auto *on_device = dynamic_cast<DeviceAssigner *>(&assigner);
    if (on_device == nullptr || !runs_on_devices(recipe)) return nullptr;
    const std::shared_ptr<Device> &device = on_device->device();
    if (!anywhere && device->info().kind != DeviceKind::gpu) return nullptr;
    if (!can_extract(*device)) return nullptr;
    if (device->verdict(as_options(recipe), [&] { return makes_the_hosts(device, recipe); }))
        return std::make_unique<DeviceCounter>(recipe, *on_device);
    observer.warning(fmt::format("{} makes other {} descriptors than the host; extracting on the "
                                 "host",
                                 device->info().name, recipe.extractor));
    return nullptr;
}

} // namespace bowhist
