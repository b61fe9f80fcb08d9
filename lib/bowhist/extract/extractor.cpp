#include <bowhist/extract/extractor.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/extract/opencv/opencv_extractor.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace bowhist {
namespace {

const OpenCvExtractorKind *find_extractor(std::string_view name) {
    const auto found = std::ranges::find(opencv_extractors, name, &OpenCvExtractorKind::name);
    return found == opencv_extractors.end() ? nullptr : &*found;
}

} // namespace

std::vector<std::string_view> extractor_names() {
    std::vector<std::string_view> names(opencv_extractors.size());
    std::ranges::transform(opencv_extractors, names.begin(), &OpenCvExtractorKind::name);
    return names;
}

double default_threshold(std::string_view name) {
    const auto *extractor = find_extractor(name);
    return extractor ? extractor->threshold : 0;
}

Recipe with_threshold(Recipe recipe) {
    if (recipe.threshold == 0) recipe.threshold = default_threshold(recipe.extractor);
    return recipe;
}

std::unique_ptr<Extractor> make_extractor(const Recipe &recipe) {
    if (!std::isfinite(recipe.threshold) || recipe.threshold < 0) {
        throw Error(Fault::usage,
                    fmt::format("{}: a threshold of {} makes no sense; give a positive number, or "
                                "0 for the extractor's own",
                                excerpt(recipe.extractor), recipe.threshold));
    }
    if (find_extractor(recipe.extractor)) return make_opencv_extractor(with_threshold(recipe));
    throw Error(Fault::usage,
                fmt::format("{}: no such extractor; there are: {}", excerpt(recipe.extractor),
                            fmt::join(extractor_names(), ", ")));
}

} // namespace bowhist
