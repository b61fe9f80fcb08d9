#pragma once

#include <bowhist/extract/extractor.hpp>

#include <array>
#include <memory>
#include <string_view>

namespace bowhist {

struct OpenCvExtractorKind {
    std::string_view name;
    double threshold; ///< of a keypoint's response, where none is given; OpenCV's own default
};

/// The extractors of OpenCV's, in a build with or without it.
constexpr std::array<OpenCvExtractorKind, 3> opencv_extractors{
    {{"kaze", 0.001}, {"akaze", 0.001}, {"surf", 100}}};

/// @throws Error{Fault::usage} for a name that this OpenCV lacks, naming the others. Without OpenCV
/// every extractor can be made, and refuses each picture.
std::unique_ptr<Extractor> make_opencv_extractor(const Recipe &recipe);

} // namespace bowhist
