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

std::unique_ptr<Extractor> make_extractor(const ExtractorOptions &options) {
    if (!std::isfinite(options.threshold) || options.threshold < 0) {
        throw Error(Fault::usage,
                    fmt::format("{}: a threshold of {} makes no sense; give a positive number, or "
                                "0 for the extractor's own",
                                excerpt(options.name), options.threshold));
    }
    if (const auto *extractor = find_extractor(options.name)) {
        ExtractorOptions complete = options;
        if (options.threshold == 0) complete.threshold = extractor->threshold;
        return make_opencv_extractor(complete);
    }
    throw Error(Fault::usage,
                fmt::format("{}: no such extractor; there are: {}", excerpt(options.name),
                            fmt::join(extractor_names(), ", ")));
}

} // namespace bowhist
