#pragma once

#include <bowhist/extract/extractor.hpp>

#include <memory>

namespace bowhist {

/// @throws Error{Fault::usage} for a name that this OpenCV lacks, naming the others. Without OpenCV
/// every extractor can be made, and refuses each picture.
std::unique_ptr<Extractor> make_opencv_extractor(const Recipe &recipe);

} // namespace bowhist
