#include "tests/pictures/make_pictures.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/ops/named_filter.hpp>
#include <bowhist/pictures/picture_writer.hpp>
#include <bowhist/pipeline/descriptor_stream.hpp>

#include <catch2/catch.hpp>

#include <mutex>
#include <random>

using namespace bowhist;

namespace {

Image noise(int width, int height, unsigned seed) {
    std::mt19937 engine(seed);
    Image image{width, height, std::vector<std::uint8_t>(static_cast<std::size_t>(width * height))};
    for (auto &pixel : image.pixels) pixel = static_cast<std::uint8_t>(40 + engine() % 150);
    return image;
}

Preprocessing filter_by(const std::string &name) {
    return {.equalize = false, .blur_sigma = 0, .filter_name = name, .filter = *named_filter(name)};
}

/// A descriptor of one float: the sum of the pixels that the extractor was given.
class SumOfPixels : public Extractor {
  public:
    Descriptors extract(const Image &image) const override {
        return {1, {static_cast<float>(cv::sum(matrix_of(image))[0])}};
    }
};

std::vector<float> sums_of(const std::vector<Input> &inputs, const StreamOptions &options) {
    std::vector<float> sums;
    Observer observer;
    stream_descriptors(inputs, SumOfPixels(), options, observer, [&](Described &&described) {
        sums.push_back(described.descriptors.values.front());
    });
    return sums;
}

} // namespace

TEST_CASE("preprocessing: each step is OpenCV's, in the order equalize, blur, filter") {
    for (const auto &[width, height] : {std::pair<int, int>{1, 1}, {17, 3}, {200, 150}}) {
        const Image image = noise(width, height, 1);
        Preprocessing steps = filter_by("box:3");
        steps.equalize = true;
        steps.blur_sigma = 2;
        const Image found = make_preprocessor(steps)->run(image);
        cv::Mat expected;
        cv::equalizeHist(matrix_of(image), expected);
        expected.convertTo(expected, CV_32F);
        cv::GaussianBlur(expected, expected, {33, 33}, 2, 2, cv::BORDER_REPLICATE);
        cv::blur(expected, expected, {3, 3}, {-1, -1}, cv::BORDER_REFLECT_101);
        expected.convertTo(expected, CV_8U);
        CHECK(found.width == width);
        CHECK(found.height == height);
        CHECK(cv::norm(matrix_of(found), expected, cv::NORM_INF) <= 1); // a half rounds either way
    }
}

TEST_CASE("preprocessing: gradients show their magnitude, sharpening is held in range") {
    const Image edge{3, 1, {200, 100, 0}};
    CHECK(make_preprocessor(filter_by("sobel-x"))->run(edge).pixels ==
          std::vector<std::uint8_t>{0, 255, 0}); // reflected: 4 × (100 - 100), 4 × -200, 0
    CHECK(make_preprocessor(filter_by("laplacian"))->run(edge).pixels ==
          std::vector<std::uint8_t>{200, 0, 200});
    CHECK(make_preprocessor(filter_by("sharpen"))->run(edge).pixels ==
          std::vector<std::uint8_t>{255, 100, 0}); // 200 + 200, 100, 0 - 200
    CHECK(make_preprocessor(filter_by("box:3"),
                            {.device = {}, .kernel_dir = {}, .border = Border::zero})
              ->run({1, 1, {90}})
              .pixels == std::vector<std::uint8_t>{10});
}

TEST_CASE("preprocessing: nothing to do touches no device; nonsense is refused before one is") {
    const PreprocessorOptions nowhere{.device = "no such device"};
    CHECK(make_preprocessor({}, nowhere) == nullptr);
    Preprocessing steps;
    steps.blur_sigma = 0.4;
    CHECK_THROWS_WITH(make_preprocessor(steps, nowhere), Catch::Contains("0.5"));
    steps = filter_by("box:3");
    steps.filter.width = 2;
    CHECK_THROWS_WITH(make_preprocessor(steps, nowhere), Catch::Contains("1 to 31"));
    CHECK_THROWS_WITH(make_preprocessor(filter_by("box:3"), nowhere),
                      Catch::Contains("no such device"));
}

TEST_CASE("preprocessing: extractors see preprocessed pictures, the same for any threads") {
    const TemporaryFolder folder;
    std::vector<Input> inputs;
    std::vector<float> expected;
    const auto preprocessor = make_preprocessor(filter_by("scharr-x"));
    for (int i = 0; i < 20; ++i) {
        const auto path = folder / ("p" + std::to_string(i) + ".png");
        const Image image = noise(30 + 7 * i, 40, static_cast<unsigned>(i));
        write_image(path, image);
        inputs.push_back({path, path});
        expected.push_back(static_cast<float>(cv::sum(matrix_of(preprocessor->run(image)))[0]));
    }
    StreamOptions options;
    const auto plain = sums_of(inputs, options);
    options.preprocessor = preprocessor;
    for (const int threads : {1, 2, 8}) {
        options.threads = threads;
        CHECK(sums_of(inputs, options) == expected);
    }
    CHECK(plain != expected);
}

TEST_CASE("files: pictures are written by their ending, whole or not at all") {
    const TemporaryFolder folder;
    const Image image = noise(31, 17, 3);
    for (const char *name : {"a.png", "a.PNG", "a.pgm", "a.bmp", "a.tif"}) {
        INFO(name);
        write_image(folder / name, image);
        CHECK(read_image(folder / name).pixels == image.pixels);
    }
    write_image(folder / "a.jpg", image);
    CHECK(read_image(folder / "a.jpg").width == 31);
    CHECK_THROWS_WITH(write_image(folder / "a.txt", image), Catch::Contains(".png"));
    const Image wide{70000, 1, std::vector<std::uint8_t>(70000)};
    CHECK_THROWS_WITH(write_image(folder / "wide.jpg", wide), Catch::Contains("70000x1"));
    CHECK_FALSE(std::filesystem::exists(folder / "wide.jpg"));
}
