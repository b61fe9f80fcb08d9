#include <bowhist/extract/surf/surf_extractor.hpp>

#include <bowhist/core/default_floats.hpp>
#include <bowhist/extract/extract_launch.hpp>
#include <bowhist/extract/spread.hpp>

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

/// From one octave's pixels to another's: by powers of two, so nothing is rounded.
Keypoint scaled(Keypoint one, float by) {
    one.x *= by;
    one.y *= by;
    one.scale *= by;
    return one;
}

class SurfExtractor : public Extractor {
  public:
    explicit SurfExtractor(const Recipe &recipe) : recipe_(recipe), layers_(surf_layers(recipe)) {}

    Descriptors extract(const Image &image) const override {
        const DefaultFloats floats;
        Descriptors result{PATCH_CELLS * PATCH_CELLS * PATCH_CHANNELS, {}};
        if (image.pixels.empty()) return result;
        const std::vector<IntegralImage> levels = surf_pyramid(image, recipe_.octaves);
        std::vector<Keypoint> all;
        std::vector<std::size_t> ends; // of the octaves among all
        for (const IntegralImage &level : levels) {
            const auto octave = static_cast<int>(ends.size());
            auto found = find_surf(level, octave, layers_, static_cast<float>(recipe_.threshold));
            refine_surf(level, found);
            for (const Keypoint &one : found)
                all.push_back(scaled(one, static_cast<float>(1 << octave)));
            ends.push_back(all.size());
        }
        const auto kept = kept_places(all, recipe_, image.width, image.height);
        auto next = kept.begin();
        for (std::size_t octave = 0; octave < levels.size(); ++octave) {
            const auto pixel = static_cast<float>(1 << octave);
            std::vector<Keypoint> keypoints; // in the level's pixels
            for (; next != kept.end() && *next < ends[octave]; ++next)
                keypoints.push_back(scaled(all[*next], 1 / pixel));
            const auto values = describe_surf(levels[octave], recipe_, keypoints);
            result.values.insert(result.values.end(), values.begin(), values.end());
            for (const Keypoint &one : keypoints) result.keypoints.push_back(scaled(one, pixel));
        }
        return result;
    }

  private:
    Recipe recipe_;
    std::vector<SurfLayer> layers_;
};

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

std::unique_ptr<Extractor> make_surf_extractor(const Recipe &recipe) {
    return std::make_unique<SurfExtractor>(recipe);
}

} // namespace bowhist
