#include <bowhist/extract/opencv/opencv_extractor.hpp>

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

} // namespace

std::unique_ptr<Extractor> make_opencv_extractor(const Recipe & /*recipe*/) {
    return std::make_unique<NoExtractor>();
}

} // namespace bowhist
