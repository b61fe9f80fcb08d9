#include <bowhist/extract/surf/surf_pyramid.hpp>

#include <bowhist/extract/smoothing.hpp>
#include <bowhist/extract/surf/surf_layers.hpp>

#include <utility>

namespace bowhist {
namespace {

/// Every second pixel of every second row.
GreyPlane halved(const GreyPlane &grey) {
    GreyPlane half((grey.width + 1) / 2, (grey.height + 1) / 2);
    for (int y = 0; y < half.height; ++y)
        for (int x = 0; x < half.width; ++x) half.row(y)[x] = grey.row(2 * y)[2 * x];
    half.repeat_border();
    return half;
}

} // namespace

std::vector<IntegralImage> surf_pyramid(const Image &image, int octaves) {
    std::vector<IntegralImage> levels;
    GreyPlane grey = sixteenths(image);
    for (int octave = 0; octave < octaves; ++octave) {
        if (octave > 0) grey = halved(grey);
        GreyPlane next = grey;
        for (int round = 0; round < (octave == 0 ? first_smoothings : later_smoothings); ++round) {
            smooth(grey, next);
            std::swap(grey, next);
        }
        levels.emplace_back(grey);
    }
    return levels;
}

} // namespace bowhist
