#include <bowhist/extract/extractor.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/extract/opencv/opencv_extractor.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace bowhist {
std::vector<std::string_view> extractor_names() {
    const auto names = opencv_extractor_names();
    return {names.begin(), names.end()};
}

std::unique_ptr<Extractor> make_extractor(const ExtractorOptions &options) {
    if (!std::isfinite(options.threshold) || options.threshold < 0) {
        throw Error(Fault::usage,
                    fmt::format("{}: a threshold of {} makes no sense; give a positive number, or "
                                "0 for the extractor's own",
                                printable(options.name), options.threshold));
    }
    const auto names = opencv_extractor_names();
    if (std::ranges::find(names, options.name) != names.end())
        return make_opencv_extractor(options);
    throw Error(Fault::usage,
                fmt::format("{}: no such extractor; there are: {}", printable(options.name),
                            fmt::join(extractor_names(), ", ")));
}

} // namespace bowhist
