#include <bowhist/extract/opencv_extractor.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/io/installed_helper.hpp>

namespace bowhist {
namespace {

/// Takes the place of every extractor of OpenCV's in a build without it, which still serves files
/// of descriptors.
class NoExtractor : public Extractor {
  public:
    Descriptors extract(const Image & /*image*/) const override {
        throw Error(Fault::input,
                    "this bowhist was built without OpenCV, whose extractor was asked for; use "
                    "--extractor dense, or descriptor files (.npy, .fvecs, .fbin)");
    }
};

} // namespace

std::unique_ptr<Extractor> make_opencv_extractor(const Recipe &recipe) {
    if constexpr (!BOWHIST_HAS_OPENCV) return std::make_unique<NoExtractor>();
    static const auto &module = *static_cast<const OpenCvExtractors *>(
        symbol_of_module("bowhist-extractors.so", "bowhist_extractors"));
    return module.make(recipe);
}

} // namespace bowhist
