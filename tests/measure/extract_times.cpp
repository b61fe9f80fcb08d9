// Extraction alone, one thread: ms per megapixel of each extractor, in turn, pictures decoded
// before.
//
//   extract_times EXTRACTOR[,EXTRACTOR…] MAX_SIDE PICTURE...     medians of 7 rounds, with their
//   range
#include "tests/measure/print_median.hpp"

#include <bowhist/extract/extractor.hpp>
#include <bowhist/pictures/picture.hpp>

#include <tbb/global_control.h>

#include <malloc.h>

#include <chrono>
#include <sstream>
#include <string>

using namespace bowhist;

int main(int count, char **arguments) {
    if (count < 4) return 2;
    mallopt(M_MMAP_THRESHOLD, 32 << 20); // as the program does, see app/run.cpp
    mallopt(M_TRIM_THRESHOLD, 128 << 20);
    const tbb::global_control one_thread(tbb::global_control::max_allowed_parallelism, 1);
    std::vector<Image> pictures;
    double megapixels = 0;
    for (int i = 3; i < count; ++i) {
        PictureLimits limits;
        limits.max_side = std::stoi(arguments[2]);
        pictures.push_back(read_picture(arguments[i], limits));
        megapixels += 1e-6 * static_cast<double>(pictures.back().pixels.size());
    }
    std::vector<std::string> names;
    std::istringstream list(arguments[1]);
    for (std::string name; std::getline(list, name, ',');) names.push_back(name);
    std::vector<std::vector<double>> times(names.size());
    std::vector<std::size_t> descriptors(names.size());
    for (int round = 0; round < 8; ++round)
        for (std::size_t i = 0; i < names.size(); ++i) {
            const auto extractor = make_extractor({.extractor = names[i]});
            const auto start = std::chrono::steady_clock::now();
            descriptors[i] = 0;
            for (const Image &picture : pictures)
                descriptors[i] += extractor->extract(picture).size();
            const std::chrono::duration<double, std::milli> time =
                std::chrono::steady_clock::now() - start;
            if (round > 0) times[i].push_back(time.count() / megapixels); // the first warms up
        }
    std::printf("%zu pictures, %.2f megapixels; ms per megapixel\n", pictures.size(), megapixels);
    for (std::size_t i = 0; i < names.size(); ++i) {
        print(names[i].c_str(), times[i]);
        std::printf("   %-28s %.0f per megapixel\n", "descriptors",
                    static_cast<double>(descriptors[i]) / megapixels);
    }
}
