#include <bowhist/pipeline/picture_counter.hpp>

#include <bowhist/assign/host/host_assigner.hpp>
#include <bowhist/assign/shared_assigner.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/encode/preparation.hpp>
#include <bowhist/pipeline/device_counter.hpp>
#include <bowhist/pipeline/image_steps.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace bowhist {
namespace {

/// Devices that share the images of a run: each image is added to the one that will have counted it
/// first, by the paces so far. One that failed gets no more; the caller adds again the images that
/// it had not counted.
class SharedCounter : public ImageCounter {
  public:
    struct Member {
        const SharedAssigner::Member *device; ///< outlives the counter, which uses its assigner
        std::unique_ptr<ImageCounter> counter;
        bool is_reported = false; ///< it failed, and the observer knows
    };
    /// @param members  at least one
    explicit SharedCounter(std::vector<Member> members) : members_(std::move(members)) {}

    bool takes(const Image &image) const override;
    PendingCounts add(Image image) override;
    void flush() override;
    using ImageCounter::pause;
    std::unique_lock<std::mutex> pause(const Assigner &assigner) override;
    /// One that failed for want of memory extracts no more; any other leaves (leave.hpp).
    bool report_failures(Observer &observer) override;

  private:
    /// The first of those that take it; null where none does.
    ImageCounter *counter_for(const Image &image) const;
    static bool works(const Member &member);

    std::vector<Member> members_;
};

bool SharedCounter::works(const Member &member) {
    return !member.counter->failure() && !member.device->has_left();
}

ImageCounter *SharedCounter::counter_for(const Image &image) const {
    ImageCounter *best = nullptr;
    double least = 0;
    for (const Member &member : members_) {
        if (!works(member) || !member.counter->takes(image)) continue;
        const double left = member.counter->seconds_left();
        if (best != nullptr && left >= least) continue;
        best = member.counter.get();
        least = left;
    }
    return best;
}

bool SharedCounter::takes(const Image &image) const {
    return counter_for(image) != nullptr;
}

PendingCounts SharedCounter::add(Image image) {
    ImageCounter *counter = counter_for(image);
    if (counter == nullptr) counter = members_.front().counter.get(); // its failure is the image's
    return counter->add(std::move(image));
}

void SharedCounter::flush() {
    for (const Member &member : members_) member.counter->flush();
}

std::unique_lock<std::mutex> SharedCounter::pause(const Assigner &assigner) {
    const auto member = std::ranges::find_if(
        members_, [&](const Member &one) { return one.device->assigner.get() == &assigner; });
    return member == members_.end() ? std::unique_lock<std::mutex>()
                                    : member->counter->pause(assigner);
}

bool SharedCounter::report_failures(Observer &observer) {
    if (std::ranges::none_of(members_, works)) return false; // what failed last ends the run
    for (Member &member : members_) try {
            const std::exception_ptr failure = member.counter->failure();
            if (failure && !std::exchange(member.is_reported, true))
                std::rethrow_exception(failure);
        } catch (const OutOfMemory &error) {
            warn_of_no_room(error, observer);
        } catch (const Error &error) {
            if (error.fault != Fault::device) throw;
            member.device->leave(error, observer);
        }
    return true;
}

/// Counts each image at once, on the thread that adds it: its descriptors are in the caches
/// still.
class HostCounter : public ImageCounter {
  public:
    /// @param preparation  null: none
    HostCounter(const Extractor &extractor, HostAssigner &assigner, const Preparation *preparation)
        : extractor_(extractor), assigner_(assigner), preparation_(preparation) {}

    bool takes(const Image & /*image*/) const override { return true; }

    PendingCounts add(Image image) override {
        std::promise<std::vector<std::uint32_t>> counts;
        Descriptors found = extractor_.extract(image);
        if (preparation_) found = prepare(*preparation_, found, image.width, image.height);
        counts.set_value(assigner_.count(found.values));
        return {counts.get_future().share()};
    }

  private:
    const Extractor &extractor_;
    HostAssigner &assigner_;
    const Preparation *preparation_;
};

/// An image of noise whose right half is flat.
Image half_noise(int side) {
    Image image{side, side, {}};
    std::mt19937 random(1);
    for (int pixel = 0; pixel < side * side; ++pixel)
        image.pixels.push_back(
            static_cast<std::uint8_t>(pixel % side < side / 2 ? random() >> 24 : 128));
    return image;
}

/// Rectangles over a ramp, as in drawings and screenshots: edges, flat areas, black and white, and
/// sums that come out as 0.
Image drawn(int width, int height) {
    Image image{width, height, {}};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            image.pixels.push_back(static_cast<std::uint8_t>((x + y) / 4 % 256));
    std::mt19937 random(2);
    for (int i = 0; i < 60; ++i) {
        const int left = static_cast<int>(random() % width);
        const int top = static_cast<int>(random() % height);
        const int right = std::min(width, left + 3 + static_cast<int>(random() % 40));
        const int bottom = std::min(height, top + 3 + static_cast<int>(random() % 40));
        const auto grey = static_cast<std::uint8_t>(random() % 3 * 127.5);
        for (int y = top; y < bottom; ++y)
            std::fill(image.pixels.begin() + y * width + left,
                      image.pixels.begin() + y * width + right, grey);
    }
    return image;
}

/// The host's rows of these images, in the order of a device.
std::vector<float> made_by_host(const Extractor &extractor, const Preparation *preparation,
                                std::span<const Image> images) {
    Descriptors all{extractor.dimensions(), {}};
    for (const Image &image : images) {
        Descriptors found = extractor.extract(image);
        if (preparation) found = with_places(preparation->steps, found, image.width, image.height);
        all.dimensions = found.dimensions;
        all.values.insert(all.values.end(), found.values.begin(), found.values.end());
    }
    return preparation ? prepared(*preparation, all).values : all.values;
}

/// Whether the device rounds as the host does: the rows of some images, bit for bit.
bool makes_the_hosts(const std::shared_ptr<Device> &device, const Recipe &recipe,
                     const Extractor &host, const Preparation *preparation) {
    const auto on_device = make_device_extractor(device, recipe, preparation != nullptr);
    const std::array images = {half_noise(400), half_noise(75), // of either step of dense
                               drawn(320, 240), drawn(150, 301)};
    const std::vector<float> expected = made_by_host(host, preparation, images);
    const DeviceImageList list = upload_image_list(*device, images);
    const DeviceDescriptors *found = &extract_all(*device, *on_device, list);
    std::optional<DevicePreparation> prepares;
    if (preparation) {
        prepares.emplace(device, *preparation);
        found = &prepares->prepare(*found, list.images);
    }
    cl_uint count = 0;
    device->download(std::span(&count, 1), found->count);
    if (count * found->dimensions != expected.size()) return false;
    std::vector<float> values(expected.size());
    if (count > 0) device->download(std::span(values), found->values);
    return std::ranges::equal(std::as_bytes(std::span(values)),
                              std::as_bytes(std::span(expected))); // -0 is not 0
}

} // namespace

PendingCounts add_encoded(ImageCounter &counter, const EncodedInput &input,
                          const ImageLimits &limits, Preprocessor *preprocessor,
                          ImageRemarks *remarks) {
    Image image = isolated([&] { return decode_image(input.bytes, input.name, limits, remarks); });
    return with_named_errors(input.name, [&] {
        if (preprocessor != nullptr) image = preprocessor->run(image);
        if (counter.takes(image)) return counter.add(std::move(image));
        return PendingCounts{.counts = {}, .image = std::move(image)};
    });
}

void warn_of_no_room(const OutOfMemory &error, Observer &observer) {
    observer.warning(fmt::format("no room for pictures on the device; extracting on the host ({})",
                                 error.what()));
}

bool suits_gpus(const Recipe &recipe) {
    return runs_on_devices(recipe);
}

std::unique_ptr<ImageCounter> make_image_counter(const Recipe &recipe, const Extractor &extractor,
                                                 Assigner &assigner, Observer &observer,
                                                 bool anywhere, const Preparation *preparation,
                                                 const std::optional<TallyShape> &tally) {
    if (HostAssigner *on_host = assigner.on_host())
        return std::make_unique<HostCounter>(extractor, *on_host, preparation);
    if (SharedAssigner *on_devices = assigner.on_devices()) {
        std::vector<SharedCounter::Member> members;
        for (const SharedAssigner::Member *member : on_devices->members()) try {
                if (auto counter = make_image_counter(recipe, extractor, *member->assigner,
                                                      observer, anywhere, preparation, tally))
                    members.push_back({member, std::move(counter)});
            } catch (const Error &error) {
                if (error.fault != Fault::device || on_devices->members().size() == 1) throw;
                member->leave(error, observer);
            }
        if (members.empty()) return nullptr;
        return std::make_unique<SharedCounter>(std::move(members));
    }
    DeviceAssigner *on_device = assigner.on_device();
    if (on_device == nullptr || !runs_on_devices(recipe)) return nullptr;
    const std::shared_ptr<Device> &device = on_device->device();
    if (!anywhere && device->info().kind != DeviceKind::gpu) return nullptr;
    if (!can_extract(*device) || (preparation && !can_prepare(*device))) return nullptr;
    const auto same = [&] { return makes_the_hosts(device, recipe, extractor, preparation); };
    const std::string steps = preparation ? " --prepare " + as_text(preparation->steps) : "";
    try {
        if (device->verdict(as_options(recipe) + steps, same))
            return std::make_unique<DeviceCounter>(recipe, *on_device, preparation, tally);
        observer.warning(fmt::format("{} makes other {}{} descriptors than the host; extracting on "
                                     "the host",
                                     device->info().name, preparation ? "prepared " : "",
                                     recipe.extractor));
    } catch (const OutOfMemory &error) {
        warn_of_no_room(error, observer);
    } catch (const RefusedGroup &error) {
        observer.warning(fmt::format("extracting on the host ({})", error.what()));
    }
    return nullptr;
}

} // namespace bowhist
