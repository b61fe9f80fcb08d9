#pragma once

#include <bowhist/extract/extractor.hpp>

namespace bowhist {

/// What is done by OpenCV's features2d. It brings OpenCV, LAPACK and whatever BLAS the system has;
/// so it lives in a module that is loaded when one of its extractors is first asked for.
struct OpenCvExtractors {
    /// @throws Error{Fault::usage} for a name that this OpenCV lacks, naming the others
    std::unique_ptr<Extractor> (*make)(const Recipe &recipe);
};

} // namespace bowhist
