#include "bench/cases/blobs.hpp"
#include "bench/cases/cases.hpp"
#include "bench/cases/extract_work.hpp"
#include "bench/cases/test_images.hpp"
#include "bench/device_case.hpp"
#include "bench/peaks.hpp"

#include <bowhist/extract/device/device_extractor.hpp>
#include <bowhist/extract/extractor.hpp>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>

namespace bowhist {
namespace {

constexpr std::size_t pixel_bytes = 48; // of dense descriptors in small images, at most

/// Does the work for each of `count` images.
void for_each_image(std::size_t count, int threads, const auto &work) {
    tbb::task_arena(threads).execute(
        [&] { tbb::parallel_for(std::size_t{0}, count, work, tbb::simple_partitioner()); });
}

/// Square images of one size, and the host's descriptors of them.
struct ExtractSample {
    Recipe recipe;
    std::unique_ptr<Extractor> extractor;
    std::vector<Image> images = {};
    std::vector<float> expected = {};      ///< all descriptors, end to end
    std::vector<std::uint32_t> image = {}; ///< of each descriptor

    /// Each image's descriptors, on the host, an image per thread.
    std::vector<Descriptors> extract(int threads) const {
        std::vector<Descriptors> found(images.size());
        for_each_image(images.size(), threads,
                       [&](std::size_t i) { found[i] = extractor->extract(images[i]); });
        return found;
    }
};
using Sample = std::shared_ptr<const ExtractSample>;

/// All of them, end to end.
std::vector<float> joined(const std::vector<Descriptors> &found) {
    std::vector<float> values;
    for (const Descriptors &one : found)
        values.insert(values.end(), one.values.begin(), one.values.end());
    return values;
}

/// Blobs, with about as many keypoints as photographs, for an extractor with its defaults. It has
/// as many pixels as n descriptors have floats, but at most as many as the program extracts from at
/// a time; on a CPU without a requested n, few enough that a round keeps to round_seconds.
Sample make_sample(const Scene &scene, const std::string &extractor) {
    const Recipe recipe = completed({.extractor = extractor});
    auto sample = std::make_shared<ExtractSample>(ExtractSample{recipe, make_extractor(recipe)});
    const bool on_gpu = scene.device && scene.device->info().kind == DeviceKind::gpu;
    const bool keeps_short = scene.request.n == 0 && !on_gpu;
    const std::size_t side = image_side(scene, keeps_short ? 512 : 1024);
    const std::size_t area = side * side;
    const std::size_t most = std::size_t{keeps_short ? 1U : 32U} << 20;
    const std::size_t count = std::clamp<std::size_t>(
        most / area, 1, image_count(scene, area, sizeof(float), pixel_bytes * area));
    sample->images.resize(count);
    const int threads = thread_count(scene.request.threads);
    for_each_image(count, threads, [&](std::size_t i) {
        sample->images[i] =
            blobs(static_cast<int>(side), static_cast<int>(side), static_cast<unsigned>(i));
    });
    const std::vector<Descriptors> found = sample->extract(threads);
    sample->expected = joined(found);
    for (std::size_t i = 0; i < count; ++i)
        sample->image.resize(sample->image.size() + found[i].size(), static_cast<std::uint32_t>(i));
    return sample;
}

/// A device's extractor at work, and its results there: descriptors, compared bit for bit, the
/// image of each, and their number.
class DeviceFound : public ExpectedOutput<float> {
  public:
    DeviceFound(std::shared_ptr<Device> device, std::unique_ptr<DeviceExtractor> extractor,
                const Sample &sample)
        : ExpectedOutput(
              {sample->image.size(), sample->extractor->dimensions(),
               static_cast<std::size_t>(std::ranges::count(sample->image, sample->image.back()))},
              sample->extractor->dimensions(), Expected<float>(sample, &sample->expected), {}),
          device_(std::move(device)), sample_(sample), extractor_(std::move(extractor)),
          there_(upload_image_list(*device_, sample->images)) {}

    void extract() {
        found_ = &extractor_->extract(there_);
        if (found_->capacity < shape().rows) found_ = &extract_all(*device_, *extractor_, there_);
    }

    /// Extracts from flat images, so that buffers between kernels hold nothing of the sample.
    void forget() {
        const DeviceImageList flat{device_->allocate<cl_uchar>(there_.pixels.size), there_.images};
        device_->fill<cl_uchar>(flat.pixels, 0, flat.pixels.size);
        found_ = &extractor_->extract(flat);
    }

    /// The level's share of the latest run. The rows of all levels share one run a round: a row
    /// that has `seen` the latest starts the next.
    RoundTime time(const std::string &level, std::size_t &seen) {
        if (seen == runs_) {
            time_ = time_launches(
                *device_, [&] { extract(); }, &kernels_);
            ++runs_;
        }
        seen = runs_;
        return level == "all" ? time_
                              : RoundTime{kernels_.kernels[level].seconds, time_.wall_seconds};
    }

    void poison(const Area &area) override {
        ExpectedOutput::poison(area);
        const std::vector<cl_uint> none(area.rows, ~cl_uint{0});
        device_->upload<cl_uint>(found_->bag, none, area.first_row);
    }
    std::uint64_t mismatches() override {
        std::vector<cl_uint> image(shape().rows);
        device_->download(std::span(image), found_->bag);
        const cl_uint count = downloaded(*device_, found_->count).front();
        std::uint64_t wrong = ExpectedOutput::mismatches() + (count == image.size() ? 0U : 1U);
        for (std::size_t i = 0; i < image.size(); ++i)
            wrong += image[i] == sample_->image[i] ? 0U : 1U;
        return wrong;
    }

  private:
    std::vector<float> read() const override {
        std::vector<float> values(expected().size());
        device_->download(std::span(values), found_->values);
        return values;
    }
    void write(const std::vector<float> &values) override {
        device_->upload<float>(found_->values, values);
    }

    std::shared_ptr<Device> device_;
    Sample sample_;
    std::unique_ptr<DeviceExtractor> extractor_;
    DeviceImageList there_;
    const DeviceDescriptors *found_ = nullptr; ///< the extractor's, of the latest run
    std::size_t runs_ = 0;                     ///< timed ones
    RoundTime time_;                           ///< of the latest
    LaunchLog kernels_;
};

std::vector<Case> device_cases(const Scene &scene, const Sample &sample, Case row,
                               const std::vector<ExtractWork> &ways) {
    if (!scene.device) return {};
    row.subject.level = "all";
    if (!can_extract(*scene.device))
        return {not_here(row.subject, "its work-groups are too small, or it does not round to the "
                                      "nearest")};
    if (sample->image.empty())
        return {not_here(row.subject, "pictures of this side have no descriptor; give a larger "
                                      "--side")};
    try {
        auto there = make_device_extractor(scene.device, sample->recipe);
        if (sample->images.front().pixels.size() > there->most_pixels())
            return {not_here(row.subject, "it has no room for such a picture; give a smaller "
                                          "--side")};
        const auto found = std::make_shared<DeviceFound>(scene.device, std::move(there), sample);
        std::vector<Case> cases;
        for (const ExtractWork &way : ways) {
            row.subject.level = way.level;
            row.work = way.work;
            cases.push_back(device_case(
                row, scene.device, [found] { found->extract(); }, found,
                [found] { found->forget(); }));
            cases.back().run = [found, level = way.level, seen = std::size_t{0}]() mutable {
                return found->time(level, seen);
            };
        }
        return cases;
    } catch (const Error &error) { // a kernel does not build
        if (error.fault != Fault::device) throw;
        return {failed(row.subject, error)};
    }
}

} // namespace

std::vector<Case> extract_cases(const Scene &scene, const std::string &extractor) {
    const auto sample = make_sample(scene, extractor);
    const int side = sample->images.front().width;
    const std::size_t count = sample->images.size();
    const auto ways = extract_work(sample->recipe, {side, static_cast<double>(count),
                                                    static_cast<double>(sample->image.size())});
    const auto width = static_cast<std::size_t>(side);
    Case row{{.level = "host-threads", .n = width * count, .d = width}, ways.front().work};
    std::vector<Case> cases = device_cases(scene, sample, row, ways);
    const auto output = std::make_shared<HostOutput<float>>(
        sample->extractor->dimensions(), Expected<float>(sample, &sample->expected));
    const auto extract = [=, threads = thread_count(scene.request.threads)] {
        return sample->extract(threads);
    };
    row = host_case(
        row, [=] { output->found = joined(extract()); }, output);
    row.run = [extract] { return time_on_host(extract); };
    cases.push_back(row);
    return cases;
}

} // namespace bowhist
