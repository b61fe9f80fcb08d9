#include "tests/pictures/drawn_headers.hpp"
#include "tests/pictures/make_jpegs.hpp"
#include "tests/pictures/make_pictures.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/pictures/picture.hpp>
#include <bowhist/pictures/picture_file.hpp>
#include <bowhist/pipeline/descriptor_stream.hpp>

#include <catch2/catch.hpp>

#include <tbb/global_control.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <sys/resource.h>

using namespace bowhist;
using namespace bowhist::testing;
using namespace std::string_literals;

namespace {

/// One descriptor: the width.
class WidthOf : public Extractor {
  public:
    Descriptors extract(const Image &image) const override {
        return {1, {static_cast<float>(image.width)}};
    }
};

/// The most that this process held.
std::uint64_t peak_bytes() {
    rusage usage = {};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) << 10;
}

} // namespace

TEST_CASE("pictures: A header gives at least the bytes that are decoded") {
    const cv::Mat photo = make_photo(70, 50);
    cv::Mat with_alpha;
    cv::cvtColor(photo, with_alpha, cv::COLOR_BGR2BGRA);
    for (const auto &eight_bits : {photo, with_alpha, grey_of(photo)})
        for (const bool is_deep : {false, true})
            for (const auto *ending :
                 {".png", ".tiff", ".ppm", ".pgm", ".bmp", ".jp2", ".webp", ".ras"}) {
                const bool takes_all = ending == ".png"s || ending == ".tiff"s;
                const bool fits = ending == ".pgm"s ? eight_bits.channels() == 1
                                                    : takes_all || eight_bits.channels() == 3;
                const bool has_depth =
                    takes_all || ending == ".jp2"s || ending == ".ppm"s || ending == ".pgm"s;
                if (!fits || (is_deep && !has_depth)) continue;
                cv::Mat image;
                eight_bits.convertTo(image, is_deep ? CV_16U : CV_8U, is_deep ? 257 : 1);
                const std::string file = encode(ending, image);
                INFO(ending << " of " << image.elemSize() << " bytes a pixel");
                const auto header = read_image_header(file);
                REQUIRE(header.has_value());
                const cv::Mat decoded = decode(file, cv::IMREAD_UNCHANGED);
                CHECK(decoded.total() * decoded.elemSize() <= header->decoder_bytes);
                CHECK(header->decoder_bytes <= decoded.total() * decoded.elemSize() * 7);
            }
}

TEST_CASE("pictures: A progressive JPEG takes its coefficients, a baseline one does not") {
    const cv::Mat photo = make_photo(160, 96);
    const auto baseline = read_image_header(encode(".jpg", photo));
    const auto progressive =
        read_image_header(encode(".jpg", photo, {cv::IMWRITE_JPEG_PROGRESSIVE, 1}));
    CHECK(baseline->decoder_bytes == 160 * 96);
    CHECK(progressive->decoder_bytes == 160 * 96 * 4); // 4:2:0, 1.5 samples of 16 bits
}

TEST_CASE("pictures: What takes more bytes to decode than the limit is refused with what helps") {
    const TemporaryFolder folder;
    const cv::Mat deep(40, 30, CV_16UC4, cv::Scalar::all(7));
    auto png = encode(".png", deep);
    const auto small = save(folder / "small.png", png);
    CHECK(refusal(small, {.max_bytes = 40 * 30 * 11}).empty());
    CHECK_THAT(refusal(small, {.max_bytes = 40 * 30 * 11 - 1}),
               Catch::Equals("30x40 pixels that take 13200 bytes to decode, more than "
                             "the limit of 13199; shrink it or raise --max-bytes"));
    png.replace(16, 8, "\0\0\x2E\xE0\0\0\x2E\xE0"s); // 12000 x 12000, fewer than --max-pixels
    CHECK_THAT(refusal(save(folder / "large.png", png)), Catch::Contains("--max-bytes"));
}

TEST_CASE("pictures: A large JPEG is taken: it is read row by row") {
    const TemporaryFolder folder;
    constexpr int width = 20000;
    constexpr int height = 10000; // 200 megapixels
    const std::vector<std::uint8_t> row(width, 90);
    const auto jpeg = encode_jpeg_rows({"grey", JCS_GRAYSCALE, JCS_GRAYSCALE}, {width, height}, 1,
                                       [&](int) { return row.data(); });
    CHECK(read_image_header(jpeg)->decoder_bytes < 10'000'000);
    const auto path = save(folder / "x.jpg", jpeg);
    CHECK_THAT(refusal(path, {.max_pixels = 199'999'999}), Catch::Contains("--max-pixels"));
    CHECK_THAT(refusal(path, {.max_bytes = 4'000'000}), Catch::Contains("--max-bytes"));
    const auto before = peak_bytes();
    const Image image = read_image(path);
    CHECK(image.width == 1024);
    CHECK(image.height == 512);
    CHECK(peak_bytes() - before < 100'000'000);
    CHECK(std::ranges::all_of(image.pixels, [](int pixel) { return std::abs(pixel - 90) < 3; }));
}

TEST_CASE("pictures: What takes more bytes than usual is taken alone, unless they are given") {
    const TemporaryFolder folder;
    auto png = encode(".png", cv::Mat(40, 30, CV_16UC4, cv::Scalar::all(7)));
    png.replace(16, 8, "\0\0\x23\x28\0\0\x27\x10"s); // 9000 x 10000
    const auto path = save(folder / "x.png", png);
    const auto bytes = read_image_header(png)->decoder_bytes;
    REQUIRE(bytes > ImageLimits::usual_bytes);
    REQUIRE(bytes < ImageLimits::most_bytes_alone);
    CHECK_THAT(refusal(path, {.max_bytes = ImageLimits::usual_bytes}),
               Catch::Contains("limit of 536870912"));
    CHECK_THAT(refusal(path), Catch::StartsWith("damaged")); // there is no more data
}

TEST_CASE("pictures: A tile counts whole, however small its picture") {
    const TemporaryFolder folder;
    const auto tiled = [&](std::uint64_t side) {
        return save(folder / "x.tif", TiffWriter(true, false)
                                          .write({{256, 3, 1, 20},
                                                  {257, 3, 1, 20},
                                                  {258, 3, 1, 8},
                                                  {259, 3, 1, 1},
                                                  {262, 3, 1, 1},
                                                  {277, 3, 1, 1},
                                                  {322, 4, 1, side},
                                                  {323, 4, 1, side},
                                                  {324, 4, 1, TiffWriter::pixels_at},
                                                  {325, 4, 1, 64 * 64}},
                                                 8));
    };
    CHECK(refusal(tiled(64)).empty());
    CHECK_THAT(refusal(tiled(16384)),
               Catch::Contains("20x20 pixels that take 13421") && Catch::Contains("--max-bytes"));
    CHECK_THAT(refusal(tiled(0xFFFFFFF0)), Catch::Contains("--max-bytes"));
}

TEST_CASE("pictures: Threads that wait for room to decode end, in input order") {
    const TemporaryFolder folder;
    std::vector<Input> inputs;
    std::vector<float> expected;
    for (int i = 0; i < 40; ++i) {
        const auto path = folder / (std::to_string(i) + ".png");
        save(path, encode(".png", cv::Mat(900, 300 + i, CV_8UC3, cv::Scalar(1, 2, 3)),
                          {cv::IMWRITE_PNG_COMPRESSION, 1}));
        inputs.push_back({path, path});
        expected.push_back(static_cast<float>(300 + i));
    }
    const tbb::global_control eight(tbb::global_control::max_allowed_parallelism, 8);
    Observer observer;
    const std::uint64_t one = 900ULL * 340 * 6;
    for (const std::uint64_t max_bytes : {one, 3 * one, 1000 * one}) {
        std::vector<float> widths;
        StreamOptions options;
        options.threads = 8;
        options.image = {.max_bytes = max_bytes, .max_side = 0};
        const auto counts =
            stream_descriptors(inputs, WidthOf(), options, observer, [&](Described &&described) {
                widths.push_back(described.descriptors.values.at(0));
            });
        CHECK(counts.read == 40);
        CHECK(widths == expected);
    }
}
