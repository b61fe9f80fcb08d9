#pragma once

#include <bowhist/extract/extractor.hpp>

#include <memory>

namespace bowhist {

/// What is done by OpenCV's features2d. It brings OpenCV, and with that LAPACK and whatever BLAS
/// the system has; so it lives in a module that is loaded when one of its extractors is first asked
/// for.
struct OpenCvExtractors {
    /// As make_opencv_extractor().
    std::unique_ptr<Extractor> (*make)(const Recipe &recipe);
};

/// @throws Error{Fault::usage} for a name that this OpenCV lacks, naming the others;
///         Error{Fault::input}: the module is not installed, or cannot be loaded. Without OpenCV
///         every extractor can be made, and refuses each image.
std::unique_ptr<Extractor> make_opencv_extractor(const Recipe &recipe);

} // namespace bowhist
