#include <bowhist/extract/opencv/opencv_extractor.hpp>

#include <bowhist/core/error.hpp>

namespace bowhist {

std::vector<std::string_view> working_opencv_extractors() {
    return {};
}

std::unique_ptr<Extractor> make_opencv_extractor(const ExtractorOptions &options) {
    throw Error(Fault::usage, options.name +
                                  ": this bowhist was built without OpenCV and extracts nothing; "
                                  "give descriptor files (.npy, .fvecs, .fbin)");
}

} // namespace bowhist
