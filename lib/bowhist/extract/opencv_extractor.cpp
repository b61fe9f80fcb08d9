#include <bowhist/extract/opencv_extractor.hpp>

#include <bowhist/io/installed_helper.hpp>

namespace bowhist {

std::unique_ptr<Extractor> make_opencv_extractor(const Recipe &recipe) {
    static const auto &module = *static_cast<const OpenCvExtractors *>(
        symbol_of_module("bowhist-extractors.so", "bowhist_extractors"));
    return module.make(recipe);
}

} // namespace bowhist
