#include <bowhist/extract/extractor.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/extract/dense/dense_extractor.hpp>
#include <bowhist/extract/dense/dense_grid.hpp>
#include <bowhist/extract/opencv_extractor.hpp>
#include <bowhist/extract/spread.hpp>
#include <bowhist/extract/surf/surf_extractor.hpp>
#include <bowhist/extract/surf/surf_layers.hpp>
#include <bowhist/io/installed_helper.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace bowhist {
namespace {

/// Takes the place of every extractor of OpenCV's in a build without it, which still serves files
/// of descriptors.
class NoExtractor : public Extractor {
  public:
    Descriptors extract(const Image & /*image*/) const override {
        throw Error(Fault::input,
                    "this bowhist was built without OpenCV, whose extractor was asked for; use "
                    "--extractor dense, or descriptor files (.npy, .fvecs, .fbin)");
    }
};

/// Without OpenCV every extractor can be made, and refuses each image.
std::unique_ptr<Extractor> make_opencv_extractor(const Recipe &recipe) {
    if constexpr (!BOWHIST_HAS_OPENCV) return std::make_unique<NoExtractor>();
    static const auto &module = *static_cast<const OpenCvExtractors *>(
        symbol_of_module("bowhist-extractors.so", "bowhist_extractors"));
    return module.make(recipe);
}

struct Kind {
    std::string_view name;
    double threshold; ///< where none is given
    std::unique_ptr<Extractor> (*make)(const Recipe &);
};

/// OpenCV's extractors have OpenCV's own thresholds.
constexpr std::array kinds{
    Kind{"dense", 1, make_dense_extractor},     Kind{"surf", 50, make_surf_extractor},
    Kind{"kaze", 0.001, make_opencv_extractor}, Kind{"akaze", 0.001, make_opencv_extractor},
    Kind{"sift", 0.04, make_opencv_extractor},  Kind{"opencv-surf", 100, make_opencv_extractor}};

const Kind *find_extractor(std::string_view name) {
    const auto found = std::ranges::find(kinds, name, &Kind::name);
    return found == kinds.end() ? nullptr : &*found;
}

} // namespace

std::vector<std::string_view> extractor_names() {
    std::vector<std::string_view> names(kinds.size());
    std::ranges::transform(kinds, names.begin(), &Kind::name);
    return names;
}

double default_threshold(std::string_view name) {
    const Kind *extractor = find_extractor(name);
    return extractor ? extractor->threshold : 0;
}

Recipe completed(Recipe recipe) {
    if (recipe.threshold == 0) recipe.threshold = default_threshold(recipe.extractor);
    recipe.max_side = recipe.largest_side();
    if (recipe.extractor == "dense") recipe.patches = as_text(patch_shapes(recipe));
    return recipe;
}

int smallest_side(const Recipe &recipe) {
    if (recipe.extractor == "dense") return patch_shapes(recipe).front().size;
    if (recipe.extractor == "surf") {
        constexpr std::size_t largest_neighbor = 2; // of the first layer that is searched
        return 2 * (surf_layers(recipe)[largest_neighbor].border() + 1) + 1;
    }
    return 1;
}

std::unique_ptr<Extractor> make_extractor(const Recipe &recipe) {
    if (!std::isfinite(recipe.threshold) || recipe.threshold < 0) {
        throw Error(Fault::usage,
                    fmt::format("{}: a threshold of {} makes no sense; give a positive number, or "
                                "0 for the extractor's own",
                                excerpt(recipe.extractor), recipe.threshold));
    }
    spread_of(recipe); // throws where it makes no sense
    if (const Kind *kind = find_extractor(recipe.extractor)) return kind->make(completed(recipe));
    throw Error(Fault::usage,
                fmt::format("{}: no such extractor; there are: {}", excerpt(recipe.extractor),
                            fmt::join(extractor_names(), ", ")));
}

} // namespace bowhist
