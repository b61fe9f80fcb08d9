#include <bowhist/extract/extractor.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/extract/opencv/opencv_extractor.hpp>
#include <bowhist/files/printable.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace bowhist {
namespace {

constexpr std::array<std::string_view, 2> own_names = {"dense", "msurf"};

bool is_one_of(std::span<const std::string_view> names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

} // namespace

std::vector<std::string_view> extractor_names() {
    const auto opencv_names = opencv_extractor_names();
    std::vector<std::string_view> names(opencv_names.begin(), opencv_names.end());
    names.insert(names.end(), own_names.begin(), own_names.end());
    return names;
}

std::unique_ptr<Extractor> make_extractor(const ExtractorOptions &options) {
    if (!std::isfinite(options.threshold) || options.threshold < 0) {
        throw Error(Fault::usage,
                    fmt::format("{}: a threshold of {} makes no sense; give a positive number, or "
                                "0 for the extractor's own",
                                printable(options.name), options.threshold));
    }
    if (is_one_of(opencv_extractor_names(), options.name)) return make_opencv_extractor(options);
    if (is_one_of(own_names, options.name)) {
        throw Error(Fault::usage,
                    fmt::format("{}: this extractor comes with a later bowhist; the others are: {}",
                                options.name, fmt::join(opencv_extractor_names(), ", ")));
    }
    throw Error(Fault::usage,
                fmt::format("{}: no such extractor; there are: {}", printable(options.name),
                            fmt::join(extractor_names(), ", ")));
}

} // namespace bowhist
