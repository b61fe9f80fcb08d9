#pragma once

#include <bowhist/extract/extractor.hpp>

#include <array>
#include <memory>
#include <string_view>

namespace bowhist {

/// Names that mean an extractor of OpenCV's, in a build with or without it.
constexpr std::array<std::string_view, 3> opencv_extractor_names() {
    return {"kaze", "akaze", "surf"};
}

/// @throws Error{Fault::usage} for a name that this OpenCV lacks, naming the others. Without OpenCV
/// every extractor can be made, and refuses each picture.
std::unique_ptr<Extractor> make_opencv_extractor(const ExtractorOptions &options);

} // namespace bowhist
