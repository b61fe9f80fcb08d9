#pragma once

#include <bowhist/extract/extractor.hpp>

namespace bowhist {

/// The extractors of OpenCV's features2d. They bring OpenCV, LAPACK and whatever BLAS the system
/// has; so they live in a module that is loaded when one of them is first asked for.
struct OpenCvExtractors {
    /// @throws Error{Fault::usage} for a name that this OpenCV lacks, naming the others
    std::unique_ptr<Extractor> (*make)(const Recipe &recipe);
};

} // namespace bowhist
