#include <bowhist/extract/surf/surf_extractor.hpp>

#include <bowhist/core/default_floats.hpp>
#include <bowhist/extract/extract_launch.hpp>
#include <bowhist/extract/strongest.hpp>
#include <bowhist/extract/surf/surf_describer.hpp>
#include <bowhist/extract/surf/surf_detector.hpp>

namespace bowhist {
namespace {

class SurfExtractor : public Extractor {
  public:
    explicit SurfExtractor(const Recipe &recipe)
        : recipe_(recipe), octaves_(surf_octaves(recipe)) {}

    Descriptors extract(const Image &image) const override {
        const DefaultFloats floats;
        const IntegralImage sums(image);
        Descriptors result{CELLS * CELLS * CHANNELS, {}};
        result.keypoints =
            strongest(find_surf(sums, octaves_, static_cast<float>(recipe_.threshold)),
                      recipe_.max_descriptors);
        result.values = describe_surf(sums, recipe_, result.keypoints);
        return result;
    }

  private:
    Recipe recipe_;
    std::vector<SurfOctave> octaves_;
};

} // namespace

std::unique_ptr<Extractor> make_surf_extractor(const Recipe &recipe) {
    return std::make_unique<SurfExtractor>(recipe);
}

} // namespace bowhist
