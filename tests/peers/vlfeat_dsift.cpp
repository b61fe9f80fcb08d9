// VLFeat's dense SIFT: 128 floats a patch.
#include "tests/peers/extractors.hpp"

#include <bowhist/extract/dense/dense_grid.hpp>

extern "C" {
#include <vl/dsift.h>
#include <vl/imopv.h>
}

#include <algorithm>

namespace bowhist::peers {
namespace {

/// Of the last patch's last cell: VLFeat's bounds are of the cells' middles.
int last_middle(const GridAxis &axis) {
    return axis.first + (axis.patches - 1) * axis.step + (PATCH_CELLS - 1) * axis.cell;
}

class VlfeatDsift : public Extractor {
  public:
    explicit VlfeatDsift(const Recipe &recipe) : recipe_(recipe), shapes_(patch_shapes(recipe)) {}

    Descriptors extract(const Image &image) const override {
        const std::vector<float> grey(image.pixels.begin(), image.pixels.end());
        std::vector<float> smooth(grey.size());
        Descriptors found{dimensions(), {}};
        for (const PatchShape &shape : shapes_) {
            if (shape.size > std::min(image.width, image.height)) break;
            const auto width = static_cast<vl_size>(image.width);
            const auto height = static_cast<vl_size>(image.height);
            const double sigma = shape.cell() / 6.0; // vl_phow's
            vl_imsmooth_f(smooth.data(), width, grey.data(), width, height, width, sigma, sigma);
            append(smooth, image, shape, found);
        }
        return found;
    }

    std::size_t dimensions() const override { return 128; }

  private:
    void append(const std::vector<float> &grey, const Image &image, const PatchShape &shape,
                Descriptors &found) const {
        const int step = dense_step(recipe_, image.width, image.height);
        const std::unique_ptr<VlDsiftFilter, void (*)(VlDsiftFilter *)> filter(
            vl_dsift_new_basic(image.width, image.height, step, shape.cell()), vl_dsift_delete);
        vl_dsift_set_flat_window(filter.get(), true);
        const GridAxis x = grid_axis(image.width, step, shape);
        const GridAxis y = grid_axis(image.height, step, shape);
        vl_dsift_set_bounds(filter.get(), x.first, y.first, last_middle(x), last_middle(y));
        vl_dsift_process(filter.get(), grey.data());
        const auto count = vl_dsift_get_keypoint_num(filter.get());
        const float *rows = vl_dsift_get_descriptors(filter.get());
        found.values.insert(found.values.end(), rows,
                            rows + static_cast<std::size_t>(count) * dimensions());
        const VlDsiftKeypoint *patches = vl_dsift_get_keypoints(filter.get());
        std::transform(patches, patches + count, std::back_inserter(found.keypoints),
                       [&](const VlDsiftKeypoint &patch) {
                           return Keypoint{static_cast<float>(patch.x), static_cast<float>(patch.y),
                                           static_cast<float>(shape.size) / 20, 0,
                                           static_cast<float>(patch.norm)};
                       });
    }

    Recipe recipe_;
    std::vector<PatchShape> shapes_;
};

} // namespace

std::unique_ptr<Extractor> make_vlfeat_dsift(const Recipe &recipe) {
    return std::make_unique<VlfeatDsift>(recipe);
}

} // namespace bowhist::peers
