// Extraction alone: milliseconds of one core per megapixel, each extractor in its turn in every
// round, images decoded before. README.md says what is what.
#include "tests/measure/print_median.hpp"
#include "tests/peers/extractors.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/pictures/picture.hpp>

#include <CLI/CLI.hpp>
#include <tbb/global_control.h>

#include <malloc.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <string>

using namespace bowhist;

namespace {

struct Options {
    std::vector<std::string> extractors;
    std::vector<std::string> images;
    double keypoints = 0; ///< per megapixel; 0: as many as there are
    int max_side = 1024;
    int rounds = 7;
};

struct Turns {
    std::string name;
    std::unique_ptr<Extractor> extractor;
    std::size_t descriptors = 0;
    std::vector<double> times = {};
};

/// Processor time of all threads, so that neighbours on the machine count for little.
double milliseconds_of(Turns &turns, const std::vector<Image> &images) {
    turns.descriptors = 0;
    const std::clock_t start = std::clock();
    for (const Image &image : images) turns.descriptors += turns.extractor->extract(image).size();
    return 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

std::vector<double> ratios(const std::vector<double> &times, const std::vector<double> &first) {
    std::vector<double> ratios(times.size());
    std::ranges::transform(times, first, ratios.begin(), std::divides());
    return ratios;
}

/// The response that `count` keypoints reach. Thresholds are of responses, except of SIFT.
double threshold_for(double keypoints, const Extractor &extractor,
                     const std::vector<Image> &images) {
    std::vector<float> responses;
    for (const Image &image : images)
        for (const Keypoint &keypoint : extractor.extract(image).keypoints)
            responses.push_back(keypoint.response);
    std::ranges::sort(responses, std::greater());
    return responses.empty()
               ? 0
               : responses[std::min(responses.size() - 1, static_cast<std::size_t>(keypoints))];
}

void measure(const Options &options) {
    std::vector<Image> images;
    double megapixels = 0;
    for (const std::string &path : options.images) {
        images.push_back(read_image(path, {.max_side = options.max_side}));
        megapixels += 1e-6 * static_cast<double>(images.back().pixels.size());
    }
    std::vector<Turns> all;
    for (const std::string &words : options.extractors) {
        Recipe recipe = peers::parse_recipe(words);
        recipe.max_side = options.max_side;
        auto extractor = peers::make_any_extractor(recipe);
        if (options.keypoints > 0 && recipe.threshold > 0) {
            recipe.threshold = threshold_for(options.keypoints * megapixels, *extractor, images);
            extractor = peers::make_any_extractor(recipe);
        }
        all.push_back({as_options(recipe), std::move(extractor)});
    }
    for (Turns &turns : all) milliseconds_of(turns, {images.front()}); // warms up
    for (int round = 0; round < options.rounds; ++round)
        for (Turns &turns : all) turns.times.push_back(milliseconds_of(turns, images) / megapixels);
    std::printf("%zu pictures, %.2f megapixels; %d rounds\n", images.size(), megapixels,
                options.rounds);
    for (const Turns &turns : all) {
        std::printf("%s: %.0f descriptors per megapixel\n", turns.name.c_str(),
                    static_cast<double>(turns.descriptors) / megapixels);
        print("ms per megapixel", turns.times);
        print("times the first", ratios(turns.times, all.front().times));
    }
}

} // namespace

int main(int count, char **words) try {
    mallopt(M_MMAP_THRESHOLD, 32 << 20); // as the program does, see app/command/run.cpp
    mallopt(M_TRIM_THRESHOLD, 128 << 20);
    const tbb::global_control one_thread(tbb::global_control::max_allowed_parallelism, 1);
    Options options;
    CLI::App parser("Milliseconds of one core per megapixel, each extractor in its turn.");
    parser.add_option("extractors", options.extractors, "Names, each with its options")->required();
    parser.add_option("--pictures", options.images)->required();
    parser.add_option("--max-side", options.max_side);
    parser.add_option("--keypoints", options.keypoints,
                      "Per megapixel: raises each threshold that is given until so many are left");
    parser.add_option("--rounds", options.rounds)->check(CLI::Range(1, 1000));
    CLI11_PARSE(parser, count, words);
    measure(options);
} catch (const std::exception &error) {
    std::fprintf(stderr, "extract_times: %s\n", error.what());
    return 1;
}
