#include "bench/cases/extract_sample.hpp"
#include "bench/cases/blobs.hpp"
#include "bench/cases/test_images.hpp"
#include "bench/peaks.hpp"

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

} // namespace

void ExtractSample::extract(int threads) {
    for_each_image(images.size(), threads,
                   [&](std::size_t i) { found[i] = extractor->extract(images[i]); });
}

std::shared_ptr<ExtractSample> make_extract_sample(const Scene &scene,
                                                   const std::string &extractor) {
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
    sample->found.resize(count);
    const int threads = thread_count(scene.request.threads);
    for_each_image(count, threads, [&](std::size_t i) {
        sample->images[i] =
            blobs(static_cast<int>(side), static_cast<int>(side), static_cast<unsigned>(i));
    });
    sample->extract(threads);
    for (std::size_t i = 0; i < count; ++i) {
        const Descriptors &one = sample->found[i];
        sample->expected.insert(sample->expected.end(), one.values.begin(), one.values.end());
        sample->image.resize(sample->image.size() + one.size(), static_cast<std::uint32_t>(i));
    }
    return sample;
}

} // namespace bowhist
