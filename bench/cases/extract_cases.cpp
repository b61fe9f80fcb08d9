#include "bench/cases/cases.hpp"
#include "bench/cases/extract_sample.hpp"
#include "bench/cases/extract_work.hpp"
#include "bench/device_case.hpp"

#include <bowhist/extract/device/device_extractor.hpp>

#include <limits>

namespace bowhist {
namespace {

/// Descriptors, compared bit for bit.
class Found : public ExpectedOutput<float> {
  public:
    explicit Found(const std::shared_ptr<ExtractSample> &sample)
        : ExpectedOutput(
              {sample->image.size(), sample->extractor->dimensions(), sample->found.back().size()},
              sample->extractor->dimensions(), Expected<float>(sample, &sample->expected), {}),
          sample_(sample) {}

  protected:
    ExtractSample &sample() const { return *sample_; }

  private:
    std::shared_ptr<ExtractSample> sample_;
};

class HostFound : public Found {
  public:
    using Found::Found;

  private:
    std::vector<float> read() const override {
        std::vector<float> values;
        for (const Descriptors &one : sample().found)
            values.insert(values.end(), one.values.begin(), one.values.end());
        if (values.size() != expected().size()) // all are wrong
            values.assign(expected().size(), std::numeric_limits<float>::quiet_NaN());
        return values;
    }
    void write(const std::vector<float> &values) override {
        auto from = values.begin();
        for (Descriptors &one : sample().found)
            for (float &value : one.values) value = *from++;
    }
};

/// A device's extractor at work, and its results there: descriptors, the image of each, and their
/// number.
class DeviceFound : public Found {
  public:
    DeviceFound(std::shared_ptr<Device> device, const std::shared_ptr<ExtractSample> &sample)
        : Found(sample), device_(std::move(device)),
          extractor_(make_device_extractor(device_, sample->recipe)),
          there_(upload_image_list(*device_, sample->images)) {}

    bool has_room() const {
        return sample().images.front().pixels.size() <= extractor_->most_pixels();
    }

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
        const std::vector<cl_uint> none(area.rows, std::numeric_limits<cl_uint>::max());
        device_->upload<cl_uint>(found_->bag, none, area.first_row);
    }
    std::uint64_t mismatches() override {
        std::vector<cl_uint> image(shape().rows);
        cl_uint count = 0;
        device_->download(std::span(image), found_->bag);
        device_->download(std::span(&count, 1), found_->count);
        std::uint64_t wrong = ExpectedOutput::mismatches() + (count == image.size() ? 0U : 1U);
        for (std::size_t i = 0; i < image.size(); ++i)
            wrong += image[i] == sample().image[i] ? 0U : 1U;
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
    std::unique_ptr<DeviceExtractor> extractor_;
    DeviceImageList there_;
    const DeviceDescriptors *found_ = nullptr; ///< the extractor's, of the latest run
    std::size_t runs_ = 0;                     ///< timed ones
    RoundTime time_;                           ///< of the latest
    LaunchLog kernels_;
};

std::vector<Case> device_cases(const Scene &scene, const std::shared_ptr<ExtractSample> &sample,
                               Case row, const std::vector<ExtractWork> &ways) {
    if (!scene.device) return {};
    row.subject.level = "all";
    if (!can_extract(*scene.device))
        return {not_here(row.subject, "its work-groups are too small, or it does not round to the "
                                      "nearest")};
    if (sample->image.empty())
        return {not_here(row.subject, "pictures of this side have no descriptor; give a larger "
                                      "--side")};
    std::vector<Case> cases;
    try {
        const auto found = std::make_shared<DeviceFound>(scene.device, sample);
        if (!found->has_room())
            return {not_here(row.subject, "it has no room for such a picture; give a smaller "
                                          "--side")};
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
    } catch (const Error &error) { // a kernel does not build
        if (error.fault != Fault::device) throw;
        return {failed(row.subject, error)};
    }
    return cases;
}

/// The host's one row has the work of "all".
std::vector<Case> extract_cases(const Scene &scene, const std::string &extractor) {
    const auto sample = make_extract_sample(scene, extractor);
    const int side = sample->images.front().width;
    const std::size_t count = sample->images.size();
    const auto ways = extract_work(sample->recipe, {side, static_cast<double>(count),
                                                    static_cast<double>(sample->image.size())});
    const auto width = static_cast<std::size_t>(side);
    const Case row{{.n = width * count, .d = width}, ways.front().work};
    std::vector<Case> cases = device_cases(scene, sample, row, ways);
    cases.push_back(host_cases(
                        scene, row, "", [sample](int threads) { sample->extract(threads); },
                        std::make_shared<HostFound>(sample))
                        .back());
    return cases;
}

} // namespace

std::vector<Case> dense_cases(const Scene &scene) {
    return extract_cases(scene, "dense");
}

std::vector<Case> surf_cases(const Scene &scene) {
    return extract_cases(scene, "surf");
}

} // namespace bowhist
