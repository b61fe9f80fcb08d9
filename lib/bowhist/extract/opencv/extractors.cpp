#include <bowhist/extract/opencv_extractor.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/extract/opencv/selection.hpp>

#include <algorithm>
#include <new>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <opencv2/core.hpp>
#include <opencv2/features2d.hpp>

// An xfeatures2d that was built without its patented parts has the header, and says so when asked.
#if __has_include(<opencv2/xfeatures2d.hpp>)
#define BOWHIST_SURF
#include <opencv2/xfeatures2d.hpp>
#endif

namespace bowhist {
namespace {

constexpr int smallest_side = 8; // pixels; no keypoint fits in fewer, and AKAZE throws at 1

using Detector = cv::Ptr<cv::Feature2D>;

Detector make_kaze(const Recipe &recipe) {
    constexpr bool extended = false; // 64 floats, not 128
    return cv::KAZE::create(extended, recipe.upright, static_cast<float>(recipe.threshold));
}

Detector make_akaze(const Recipe &recipe) {
    const auto kind =
        recipe.upright ? cv::AKAZE::DESCRIPTOR_KAZE_UPRIGHT : cv::AKAZE::DESCRIPTOR_KAZE;
    constexpr int full_size = 0;
    constexpr int channels = 3;
    return cv::AKAZE::create(kind, full_size, channels, static_cast<float>(recipe.threshold));
}

Detector make_sift(const Recipe &recipe) {
    if (recipe.upright)
        throw Error(Fault::usage, "sift: OpenCV has no upright form of it; leave --upright out");
    constexpr int all = 0;
    constexpr int layers = 3;
    return cv::SIFT::create(all, layers, recipe.threshold);
}

#ifdef BOWHIST_SURF
Detector make_surf(const Recipe &recipe) {
    constexpr int octaves = 4;
    constexpr int layers = 3;
    constexpr bool extended = false; // 64 floats, not 128
    return cv::xfeatures2d::SURF::create(recipe.threshold, octaves, layers, extended,
                                         recipe.upright);
}
#endif

struct Kind {
    std::string_view name;
    Detector (*make)(const Recipe &);
    std::size_t dimensions = 64;
};

constexpr Kind kinds[] = {
    {"kaze", make_kaze},
    {"akaze", make_akaze},
    {"sift", make_sift, 128},
#ifdef BOWHIST_SURF
    {"opencv-surf", make_surf},
#endif
};

class OpenCvExtractor : public Extractor {
  public:
    OpenCvExtractor(Recipe recipe, const Kind &kind) : recipe_(std::move(recipe)), kind_(kind) {}

    Descriptors extract(const Image &image) const override {
        if (std::min(image.width, image.height) < smallest_side) return {kind_.dimensions, {}};
        try {
            return detect_and_compute(image);
        } catch (const cv::Exception &error) {
            if (error.code != cv::Error::StsNoMem) fail(image, "failed: " + printable(error.err));
        } catch (const std::bad_alloc &) { // reported below, as OpenCV's own
        }
        fail(image, "needs more memory than there is; lower --max-side");
    }

    std::size_t dimensions() const override { return kind_.dimensions; }

  private:
    Descriptors detect_and_compute(const Image &image) const {
        // OpenCV's detectors keep their scale space: one a call, so that threads share nothing
        const auto detector = kind_.make(recipe_);
        const cv::Mat view(image.height, image.width, CV_8U,
                           const_cast<std::uint8_t *>(image.pixels.data()));
        std::vector<cv::KeyPoint> keypoints;
        cv::Mat rows;
        detector->detectAndCompute(view, cv::noArray(), keypoints, rows);
        if (rows.empty()) return {kind_.dimensions, {}};
        return select_rows(rows, keypoints, recipe_, image.width, image.height);
    }

    [[noreturn]] void fail(const Image &image, std::string_view how) const {
        throw Error(Fault::input, fmt::format("{} of {}x{} pixels {}", kind_.name, image.width,
                                              image.height, how));
    }

    Recipe recipe_;
    Kind kind_;
};

bool can_make(const Kind &kind, const Recipe &recipe) {
    try {
        return !kind.make(recipe).empty();
    } catch (const cv::Exception &) {
        return false;
    }
}

/// The names of the extractors that this OpenCV can make, and of those that need none.
std::vector<std::string_view> working_names() {
    std::vector<std::string_view> names = extractor_names();
    std::erase_if(names, [](std::string_view name) {
        const auto *kind = std::ranges::find(kinds, name, &Kind::name);
        const bool is_own = name == "dense" || name == "surf";
        return !is_own && (kind == std::end(kinds) ||
                           !can_make(*kind, completed({.extractor = std::string(name)})));
    });
    return names;
}

std::unique_ptr<Extractor> make(const Recipe &recipe) {
    for (const auto &kind : kinds)
        if (kind.name == recipe.extractor && can_make(kind, recipe))
            return std::make_unique<OpenCvExtractor>(recipe, kind);
    throw Error(Fault::usage,
                fmt::format("{}: not in the OpenCV {} of this bowhist; here work: {}",
                            recipe.extractor, CV_VERSION, fmt::join(working_names(), ", ")));
}

} // namespace
} // namespace bowhist

// The one name that extractor.cpp looks up.
extern "C" const bowhist::OpenCvExtractors bowhist_extractors;
extern "C" const bowhist::OpenCvExtractors bowhist_extractors = {bowhist::make};
