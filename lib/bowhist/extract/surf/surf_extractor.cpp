#include <bowhist/extract/surf/surf_extractor.hpp>

#include <bowhist/core/default_floats.hpp>
#include <bowhist/extract/extract_launch.hpp>
#include <bowhist/extract/strongest.hpp>
#include <bowhist/extract/surf/surf_describer.hpp>
#include <bowhist/extract/surf/surf_detector.hpp>
#include <bowhist/extract/surf/surf_pyramid.hpp>
#include <bowhist/extract/surf/surf_refiner.hpp>

namespace bowhist {
namespace {

class SurfExtractor : public Extractor {
  public:
    explicit SurfExtractor(const Recipe &recipe) : recipe_(recipe), layers_(surf_layers(recipe)) {}

    Descriptors extract(const Image &image) const override {
        const DefaultFloats floats;
        Descriptors result{CELLS * CELLS * CHANNELS, {}};
        if (image.pixels.empty()) return result;
        const std::vector<IntegralImage> levels = surf_pyramid(image, recipe_.octaves);
        std::vector<Keypoint> all;
        std::vector<std::size_t> ends; // of the octaves among all
        for (const IntegralImage &level : levels) {
            const auto octave = static_cast<int>(ends.size());
            auto found = find_surf(level, octave, layers_, static_cast<float>(recipe_.threshold));
            refine_surf(level, found);
            all.insert(all.end(), found.begin(), found.end());
            ends.push_back(all.size());
        }
        const auto kept = strongest(all, recipe_.max_descriptors);
        auto next = kept.begin();
        for (std::size_t octave = 0; octave < levels.size(); ++octave) {
            std::vector<Keypoint> keypoints;
            for (; next != kept.end() && *next < ends[octave]; ++next)
                keypoints.push_back(all[*next]);
            const auto values = describe_surf(levels[octave], recipe_, keypoints);
            result.values.insert(result.values.end(), values.begin(), values.end());
            const auto pixel = static_cast<float>(1 << octave);
            for (const Keypoint &one : keypoints)
                result.keypoints.push_back({.x = one.x * pixel,
                                            .y = one.y * pixel,
                                            .scale = one.scale * pixel,
                                            .orientation = one.orientation,
                                            .response = one.response});
        }
        return result;
    }

  private:
    Recipe recipe_;
    std::vector<SurfLayer> layers_;
};

} // namespace

std::unique_ptr<Extractor> make_surf_extractor(const Recipe &recipe) {
    return std::make_unique<SurfExtractor>(recipe);
}

} // namespace bowhist
