#include <bowhist/extract/opencv_extractor.hpp>

#include <bowhist/core/error.hpp>

namespace bowhist {
namespace {

/// Stands in for every extractor of OpenCV's: descriptor files are served without it.
class NoExtractor : public Extractor {
  public:
    Descriptors extract(const Image & /*image*/) const override {
        throw Error(Fault::input,
                    "this bowhist was built without OpenCV, whose extractor was asked for; use "
                    "--extractor dense, or descriptor files (.npy, .fvecs, .fbin)");
    }
};

std::unique_ptr<Extractor> make(const Recipe & /*recipe*/) {
    return std::make_unique<NoExtractor>();
}

} // namespace
} // namespace bowhist

// The one name that opencv_extractor.cpp looks up.
extern "C" const bowhist::OpenCvExtractors bowhist_extractors;
extern "C" const bowhist::OpenCvExtractors bowhist_extractors = {bowhist::make};
