#include "tests/files/checks.hpp"
#include "tests/pictures/make_pictures.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/extract/extractor.hpp>
#include <bowhist/extract/opencv/selection.hpp>

#include <catch2/catch.hpp>
#include <opencv2/core.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <thread>

using namespace bowhist;

namespace {

Image photo(int width, int height) {
    const cv::Mat grey = grey_of(make_photo(width, height));
    return {width, height, {grey.begin<std::uint8_t>(), grey.end<std::uint8_t>()}};
}

Image noise(int width, int height) {
    Image image{width, height, std::vector<std::uint8_t>(static_cast<std::size_t>(width) * height)};
    cv::RNG random(3);
    for (auto &pixel : image.pixels) pixel = static_cast<std::uint8_t>(random.uniform(0, 256));
    return image;
}

void check_usage_error(const Recipe &recipe, const std::string &part) {
    checks::require_error(Fault::usage, recipe.extractor + ": ", {part},
                          [&] { make_extractor(recipe); });
}

/// The number of OpenCV's threads, as before once it is gone.
class OpenCvThreads {
  public:
    explicit OpenCvThreads(int count) : before_(cv::getNumThreads()) { cv::setNumThreads(count); }
    ~OpenCvThreads() { cv::setNumThreads(before_); }
    OpenCvThreads(const OpenCvThreads &) = delete;
    OpenCvThreads &operator=(const OpenCvThreads &) = delete;

  private:
    int before_;
};

/// Rows of one float, their own numbers, with these responses.
Descriptors select(const std::vector<float> &responses, std::size_t max_descriptors) {
    cv::Mat rows(static_cast<int>(responses.size()), 1, CV_32F);
    std::vector<cv::KeyPoint> keypoints;
    for (int i = 0; i < rows.rows; ++i) {
        rows.at<float>(i, 0) = static_cast<float>(i);
        keypoints.emplace_back(0.F, 0.F, 1.F, -1.F, responses[static_cast<std::size_t>(i)]);
    }
    return select_rows(rows, keypoints, {.extractor = "kaze", .max_descriptors = max_descriptors},
                       1, 1);
}

} // namespace

TEST_CASE("extract: Names, and what to do about those that do not work") {
    const auto names = extractor_names();
    for (const auto *name : {"dense", "surf", "kaze", "akaze", "sift", "opencv-surf"}) {
        CHECK(std::ranges::find(names, name) != names.end());
    }
    check_usage_error({.extractor = "orb"},
                      "there are: dense, surf, kaze, akaze, sift, opencv-surf");
    check_usage_error({.extractor = ""}, "no such extractor");
    check_usage_error({.extractor = "sift", .upright = true}, "no upright form");
    check_usage_error({.extractor = "akaze", .threshold = -1}, "threshold");
    check_usage_error({.extractor = "akaze", .threshold = std::nan("")}, "threshold");
    try {
        make_extractor({.extractor = "opencv-surf", .upright = true}); // there with xfeatures2d
    } catch (const Error &error) {
        CHECK(error.fault == Fault::usage);
        CHECK_THAT(error.what(), Catch::Contains("here work: dense, surf, kaze, akaze, sift"));
    }
}

TEST_CASE("extract: Descriptors are rows of 64 finite floats") {
    for (const auto *name : {"kaze", "akaze"}) {
        INFO(name);
        const auto descriptors = make_extractor({.extractor = name})->extract(photo(320, 240));
        CHECK(descriptors.dimensions == 64);
        CHECK(descriptors.size() >= 10);
        CHECK(descriptors.values.size() == 64 * descriptors.size());
        CHECK(std::ranges::all_of(descriptors.values, [](float x) { return std::isfinite(x); }));
    }
}

TEST_CASE("extract: A picture too small or too plain has no descriptors") {
    for (const auto *name : {"kaze", "akaze"}) {
        const auto extractor = make_extractor({.extractor = name});
        for (const auto &[width, height] : {std::pair{0, 0},
                                            {1, 1},
                                            {1, 500},
                                            {500, 1},
                                            {2, 2},
                                            {15, 3},
                                            {7, 300},
                                            {8, 8},
                                            {9, 17},
                                            {16, 16}}) {
            INFO(name << " " << width << "x" << height);
            const auto descriptors = extractor->extract(noise(width, height));
            CHECK(descriptors.dimensions == 64);
            CHECK(descriptors.size() == 0);
        }
        const Image plain{200, 150, std::vector<std::uint8_t>(200 * 150, 128)};
        CHECK(extractor->extract(plain).size() == 0);
    }
}

TEST_CASE("extract: The same bits for any number of threads") {
    const auto image = photo(400, 300);
    for (const auto *name : {"kaze", "akaze"}) {
        INFO(name);
        const auto extractor = make_extractor({.extractor = name});
        const auto expected = [&] {
            const OpenCvThreads one(1);
            return extractor->extract(image).values;
        }();
        REQUIRE_FALSE(expected.empty());
        for (const int count : {2, 3, 8}) {
            const OpenCvThreads several(count);
            CHECK(extractor->extract(image).values == expected);
        }
        std::vector<Descriptors> results(3);
        {
            std::vector<std::jthread> threads;
            for (auto &result : results) {
                threads.emplace_back([&] { result = extractor->extract(image); });
            }
        }
        for (const auto &result : results) CHECK(result.values == expected);
    }
}

TEST_CASE("extract: Upright, a threshold and a cap each do what they say") {
    const auto image = photo(320, 240);
    for (const auto *name : {"kaze", "akaze"}) {
        INFO(name);
        const auto all = make_extractor({.extractor = name})->extract(image);
        CHECK(make_extractor({.extractor = name, .threshold = 0.001})->extract(image).values ==
              all.values);
        CHECK(make_extractor({.extractor = name, .upright = true})->extract(image).values !=
              all.values);
        CHECK(make_extractor({.extractor = name, .threshold = 0.02})->extract(image).size() <
              all.size());

        const auto few = make_extractor({.extractor = name, .max_descriptors = 5})->extract(image);
        CHECK(few.size() == 5);
        std::size_t next = 0; // each row of few stands in all, later than the one before
        for (std::size_t i = 0; i < few.size(); ++i) {
            while (next < all.size() && !std::ranges::equal(all.row(next), few.row(i))) ++next;
            CHECK(next < all.size());
        }
        const auto many =
            make_extractor({.extractor = name, .max_descriptors = 1'000'000})->extract(image);
        CHECK(many.values == all.values);
    }
}

TEST_CASE("extract: The strongest are kept, in the order of detection") {
    const std::vector<float> responses = {3, 1, 2, 5, 2, 2};
    CHECK(select(responses, 1).values == std::vector<float>{3});
    CHECK(select(responses, 2).values == std::vector<float>{0, 3});
    CHECK(select(responses, 3).values == std::vector<float>{0, 2, 3}); // of equal ones the earlier
    CHECK(select(responses, 4).values == std::vector<float>{0, 2, 3, 4});
    CHECK(select(responses, 6).values == std::vector<float>{0, 1, 2, 3, 4, 5});
    CHECK(select(responses, 0).size() == 6);
}

TEST_CASE("extract: Rows that are not finite are left out, and do not count") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    const cv::Mat rows = (cv::Mat_<float>(4, 2) << 1, nan, 2, 3, -infinity, 4, 5, 6);
    const std::vector<cv::KeyPoint> keypoints(4);
    const auto chosen =
        select_rows(rows, keypoints, {.extractor = "kaze", .max_descriptors = 2}, 9, 9);
    CHECK(chosen.dimensions == 2);
    CHECK(chosen.values == std::vector<float>{2, 3, 5, 6});
}
