// JPEG files to histograms on a device, beside what bounds that: merely decoding on all cores, and
// counting images whose pixels lie on the device. In turn; medians of 7 rounds, with their range.
//
//   feed_times EXTRACTOR LEVEL DEVICE TIMES FILE...     each file is read TIMES times
#include "tests/measure/print_median.hpp"

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/assign/device/device_assigner.hpp>
#include <bowhist/extract/device/device_extractor.hpp>
#include <bowhist/extract/extractor.hpp>
#include <bowhist/pictures/picture.hpp>
#include <bowhist/pipeline/histogram_stream.hpp>

#include <tbb/parallel_for.h>

#include <malloc.h>

#include <array>
#include <chrono>
#include <functional>
#include <span>
#include <string>

using namespace bowhist;

namespace {

/// Images go no further.
struct Leave : ImageCounter {
    bool takes(const Image & /*image*/) const override { return true; }
    PendingCounts add(Image /*image*/) override { return {}; }
};

struct NoRows : HistogramWriter {
    void write(const Histogram & /*row*/) override {}
    void finish() override {}
};

double seconds(const std::function<void()> &work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Images on the device, in batches of as many pixels as the program's.
std::vector<DeviceImageList> uploaded_batches(Device &device, const std::vector<Image> &images,
                                              std::size_t batch_pixels) {
    std::vector<DeviceImageList> batches;
    for (std::span<const Image> left(images); !left.empty();) {
        std::size_t count = 1;
        std::size_t pixels = left[0].pixels.size();
        while (count < left.size() && pixels + left[count].pixels.size() <= batch_pixels)
            pixels += left[count++].pixels.size();
        batches.push_back(upload_image_list(device, left.first(count)));
        left = left.subspan(count);
    }
    return batches;
}

} // namespace

int main(int count, char **arguments) {
    if (count < 6) return 2;
    mallopt(M_MMAP_THRESHOLD, 32 << 20); // as the program does, see app/command/run.cpp
    mallopt(M_TRIM_THRESHOLD, 128 << 20);
    const Recipe recipe = completed({.extractor = arguments[1]});
    std::vector<Input> inputs;
    for (int time = 0; time < std::stoi(arguments[4]); ++time)
        for (int i = 5; i < count; ++i) inputs.push_back({arguments[i], arguments[i]});
    const auto extractor = make_extractor(recipe);
    ImageLimits limits;
    limits.max_side = recipe.max_side;
    std::vector<Image> images(inputs.size());
    const auto decode = [&] {
        tbb::parallel_for(std::size_t{0}, inputs.size(),
                          [&](std::size_t i) { images[i] = read_image(inputs[i].path, limits); });
    };
    decode();
    double megapixels = 0;
    for (const Image &image : images) megapixels += 1e-6 * static_cast<double>(image.pixels.size());

    constexpr std::size_t k = 1024;
    const Descriptors sample = extractor->extract(images[0]);
    Vocabulary vocabulary{sample.dimensions, {}};
    for (std::size_t word = 0; word < k; ++word) {
        const auto row = sample.row(word % sample.size());
        vocabulary.values.insert(vocabulary.values.end(), row.begin(), row.end());
    }
    const LevelChoice level =
        choose_level({.level = arguments[2], .device = arguments[3]}, sample.dimensions, k);
    const auto assigner = level.prepare(vocabulary);
    Observer observer;
    const auto counter = make_image_counter(recipe, *extractor, *assigner, observer, true);
    DeviceAssigner *device_assigner = assigner->on_device();
    if (!counter || device_assigner == nullptr) return 3;
    DeviceAssigner &on_device = *device_assigner;
    const auto device_extractor = make_device_extractor(on_device.device(), recipe);
    const auto batches = uploaded_batches(*level.device(), images, std::size_t{32} << 20);
    HistogramOptions options;
    options.words = k;
    options.stream.counter = counter.get();
    options.stream.image = limits;

    for (const DeviceImageList &batch : batches)
        extract_all(*level.device(), *device_extractor, batch); // makes room
    const auto count_batches = [&] {                            // two at a time, as the program
        std::array<DeviceAssigner::Counting, 2> turns;
        for (std::size_t i = 0; i < batches.size(); ++i) {
            on_device.start(turns[i % 2], device_extractor->extract(batches[i]),
                            batches[i].images.size());
            if (i > 0) on_device.finish(turns[(i - 1) % 2]);
        }
        on_device.finish(turns[(batches.size() - 1) % 2]);
    };
    StreamOptions stream = options.stream;
    Leave leave;
    stream.counter = &leave;
    std::vector<double> decoded, streamed, counted, both, share;
    for (int round = 0; round < 8; ++round) {
        const double decoding = seconds(decode);
        const double counting = seconds(count_batches);
        const double streaming = seconds([&] {
            stream_descriptors(inputs, *extractor, stream, observer, [](Described && /*one*/) {});
        });
        NoRows writer;
        const double all = seconds(
            [&] { stream_histograms(inputs, *extractor, *assigner, writer, options, observer); });
        if (round == 0) continue; // warms up
        decoded.push_back(megapixels / decoding);
        streamed.push_back(megapixels / streaming);
        counted.push_back(megapixels / counting);
        both.push_back(megapixels / all);
        share.push_back(100 * std::max(decoding, counting) / all);
    }
    std::printf("%s, %s: %zu pictures, %.0f megapixels; megapixels per second\n", arguments[1],
                level.name().c_str(), inputs.size(), megapixels);
    print("decoding alone", decoded);
    print("decoding in order", streamed);
    print("counting alone", counted);
    print("files to histograms", both);
    print("percent of the slower", share);
}
