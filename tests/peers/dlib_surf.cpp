// dlib's SURF: four octaves of six intervals, 64 doubles.
#include "tests/peers/extractors.hpp"

#include <dlib/array2d.h>
#include <dlib/image_keypoint.h>

#include <algorithm>

namespace bowhist::peers {
namespace {

class DlibSurf : public Extractor {
  public:
    explicit DlibSurf(const Recipe &recipe)
        : threshold_(recipe.threshold > 0 ? recipe.threshold : 30),
          most_(recipe.max_descriptors > 0 ? static_cast<long>(recipe.max_descriptors) : 10'000) {}

    Descriptors extract(const Image &image) const override {
        dlib::array2d<unsigned char> grey(image.height, image.width);
        std::ranges::copy(image.pixels, &grey[0][0]);
        Descriptors found{dimensions(), {}};
        for (const auto &point : dlib::get_surf_points(grey, most_, threshold_)) {
            for (const double value : point.des) found.values.push_back(static_cast<float>(value));
            found.keypoints.push_back(
                {static_cast<float>(point.p.center.x()), static_cast<float>(point.p.center.y()),
                 static_cast<float>(point.p.scale), static_cast<float>(point.angle),
                 static_cast<float>(point.p.score)});
        }
        return found;
    }

  private:
    double threshold_;
    long most_;
};

} // namespace

std::unique_ptr<Extractor> make_dlib_surf(const Recipe &recipe) {
    return std::make_unique<DlibSurf>(recipe);
}

} // namespace bowhist::peers
