#include <bowhist/pictures/area_average.hpp>

#include <catch2/catch.hpp>

#include <opencv2/imgproc.hpp>

#include <algorithm>

using namespace bowhist;

namespace {

cv::Mat noise(cv::Size size, Colour colour) {
    cv::Mat picture(size, CV_MAKETYPE(CV_8U, static_cast<int>(colour)));
    cv::RNG random(3);
    random.fill(picture, cv::RNG::UNIFORM, 0, 256);
    return picture;
}

Raster average_of(const cv::Mat &picture, PixelSize to, Colour colour) {
    AreaAverage average({picture.cols, picture.rows}, to, colour);
    for (int y = 0; y < picture.rows; ++y) average.add(picture.ptr(y));
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
        for (const Colour colour : {Colour::grey, Colour::bgr}) {
            INFO(from << " to " << to << ", " << static_cast<int>(colour) << " channels");
            const cv::Mat picture = noise(from, colour);
            cv::Mat expected;
            cv::resize(picture, expected, to, 0, 0, cv::INTER_AREA);
            CHECK(same(average_of(picture, {to.width, to.height}, colour), expected));
        }
}

TEST_CASE("pictures: Areas of every shape are averaged to the bytes of cv::resize") {
    cv::RNG random(8);
    for (int round = 0; round < 300; ++round) {
        const cv::Size from(random.uniform(1, 120), random.uniform(1, 120));
        const cv::Size to(random.uniform(1, from.width + 1), random.uniform(1, from.height + 1));
        INFO(from << " to " << to);
        const cv::Mat picture = noise(from, Colour::grey);
        cv::Mat expected;
        cv::resize(picture, expected, to, 0, 0, cv::INTER_AREA);
        CHECK(same(average_of(picture, {to.width, to.height}, Colour::grey), expected));
    }
}
