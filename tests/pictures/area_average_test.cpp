#include <bowhist/pictures/area_average.hpp>

#include <catch2/catch.hpp>

#include <opencv2/imgproc.hpp>

#include <algorithm>

using namespace bowhist;

namespace {

cv::Mat noise(cv::Size size, Color color) {
    cv::Mat image(size, CV_MAKETYPE(CV_8U, static_cast<int>(color)));
    cv::RNG random(3);
    random.fill(image, cv::RNG::UNIFORM, 0, 256);
    return image;
}

Raster average_of(const cv::Mat &image, PixelSize to, Color color) {
    AreaAverage average({image.cols, image.rows}, to, color);
    for (int y = 0; y < image.rows; ++y) average.add(image.ptr(y));
    return average.take();
}

bool same(const Raster &ours, const cv::Mat &theirs) {
    const auto bytes = theirs.isContinuous() ? theirs : theirs.clone();
    return std::equal(ours.samples.begin(), ours.samples.end(), bytes.data,
                      bytes.data + bytes.total() * bytes.elemSize());
}

} // namespace

TEST_CASE("pictures: Areas are averaged to the bytes of cv::resize") {
    const std::pair<cv::Size, cv::Size> shapes[] = {{{1, 1}, {1, 1}},
                                                    {{64, 48}, {64, 48}},
                                                    {{64, 48}, {32, 24}},
                                                    {{67, 48}, {1, 1}},
                                                    {{96, 63}, {32, 21}},
                                                    {{96, 63}, {32, 63}},
                                                    {{96, 63}, {48, 21}},
                                                    {{96, 63}, {48, 20}},
                                                    {{1500, 1000}, {1024, 683}},
                                                    {{2047, 1365}, {1024, 683}},
                                                    {{1025, 769}, {1024, 768}},
                                                    {{500, 1}, {10, 1}},
                                                    {{1, 500}, {1, 10}},
                                                    {{1001, 7}, {17, 3}},
                                                    {{300, 200}, {299, 199}}};
    for (const auto &[from, to] : shapes)
        for (const Color color : {Color::grey, Color::bgr}) {
            INFO(from << " to " << to << ", " << static_cast<int>(color) << " channels");
            const cv::Mat image = noise(from, color);
            cv::Mat expected;
            cv::resize(image, expected, to, 0, 0, cv::INTER_AREA);
            CHECK(same(average_of(image, {to.width, to.height}, color), expected));
        }
}

TEST_CASE("pictures: Areas of every shape are averaged to the bytes of cv::resize") {
    cv::RNG random(8);
    for (int round = 0; round < 300; ++round) {
        const cv::Size from(random.uniform(1, 120), random.uniform(1, 120));
        const cv::Size to(random.uniform(1, from.width + 1), random.uniform(1, from.height + 1));
        INFO(from << " to " << to);
        const cv::Mat image = noise(from, Color::grey);
        cv::Mat expected;
        cv::resize(image, expected, to, 0, 0, cv::INTER_AREA);
        CHECK(same(average_of(image, {to.width, to.height}, Color::grey), expected));
    }
}

TEST_CASE("pictures: A long strip keeps a sixth of the side, within the side's square") {
    CHECK(shrunk({800, 12000}, 384) == PixelSize{64, 960});
    CHECK(shrunk({12000, 800}, 384) == PixelSize{960, 64});
    CHECK(shrunk({120, 9600}, 384) == PixelSize{42, 3434}); // 384 / sqrt(80) = 42.9
    CHECK(shrunk({30, 5000}, 1024) == PixelSize{30, 5000}); // fewer pixels than 1024 x 1024
    CHECK(shrunk({30, 5000}, 0) == PixelSize{30, 5000});
    CHECK(shrunk({600, 3600}, 384) == PixelSize{64, 384});
    CHECK(shrunk({601, 3600}, 384) == PixelSize{64, 384});
    CHECK(shrunk({500, 1}, 10) == PixelSize{100, 1});
    CHECK(shrunk({100, 1}, 1) == PixelSize{1, 1});
    cv::RNG random(4);
    for (int round = 0; round < 20'000; ++round) {
        const auto length = [&](int most) { return random.uniform(1, random.uniform(2, most)); };
        const PixelSize full{length(20'000), length(20'000)};
        const int side = length(1200);
        const PixelSize left = shrunk(full, side);
        INFO(full.width << "x" << full.height << " to " << side);
        REQUIRE((left.width >= 1 && left.height >= 1));
        REQUIRE((left.width <= full.width && left.height <= full.height));
        const auto [shorter, longer] = std::minmax(full.width, full.height);
        if (longer <= side || longer <= 6 * shorter) {
            REQUIRE(left == boxed(full, side));
            continue;
        }
        REQUIRE(static_cast<std::int64_t>(left.width) * left.height <=
                static_cast<std::int64_t>(side) * side);
        const int short_side = std::min(left.width, left.height);
        if (longer <= 36 * shorter) REQUIRE(short_side >= std::min(shorter, std::max(1, side / 6)));
        if (short_side < 2) continue; // no shape is left
        const double shape = static_cast<double>(longer) / shorter;
        const double shape_left =
            static_cast<double>(std::max(left.width, left.height)) / short_side;
        REQUIRE(shape_left >= shape - 1.0 / short_side); // both sides are rounded down
        REQUIRE(shape_left <= shape * (short_side + 1) / short_side);
    }
}
