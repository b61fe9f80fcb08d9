#include "tests/pictures/make_pictures.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/pictures/picture.hpp>

#include <catch2/catch.hpp>

#include <string>

using namespace bowhist;
using namespace std::string_literals;

namespace {

std::string little(int number) {
    return {static_cast<char>(number), static_cast<char>(number >> 8)};
}

/// A GIF that is not compressed: codes of three bits, and a clear code after every other pixel.
std::string plain_gif(cv::Size canvas, cv::Rect frame, const std::string &colours, int transparent,
                      int (*index_at)(int, int)) {
    constexpr int clear = 4;
    constexpr int end = 5;
    std::string data;
    int filled = 0;
    const auto put = [&](int code) {
        for (int i = 0; i < 3; ++i, filled = (filled + 1) % 8) {
            if (filled == 0) data += '\0';
            data.back() = static_cast<char>(data.back() | (code >> i & 1) << filled);
        }
    };
    for (int i = 0; i < frame.area(); ++i) {
        if (i % 2 == 0) put(clear);
        put(index_at(i % frame.width, i / frame.width));
    }
    put(end);
    auto gif = "GIF89a" + little(canvas.width) + little(canvas.height) + "\x80\0\0"s + colours;
    gif += "\x21\xF9\x04\x01\0\0"s + static_cast<char>(transparent) + '\0';
    gif += "," + little(frame.x) + little(frame.y) + little(frame.width) + little(frame.height) +
           "\0\2"s;
    for (std::size_t at = 0; at < data.size(); at += 255) {
        const auto block = data.substr(at, 255);
        gif += static_cast<char>(block.size()) + block;
    }
    return gif + "\0;"s;
}

/// A chequered frame of two indices.
int square(int x, int y) {
    return (x / 4 + y / 4) % 2;
}

} // namespace

TEST_CASE("gif: White on a clear ground lies on black, black on white") {
    const TemporaryFolder folder;
    for (const bool is_white : {true, false})
        for (const cv::Rect frame : {cv::Rect(0, 0, 40, 24), {5, 3, 24, 16}}) {
            INFO("white " << is_white << ", " << frame);
            const auto shade = static_cast<char>(is_white ? 255 : 0);
            const auto other = static_cast<char>(~shade);
            const auto gif = plain_gif({40, 24}, frame,
                                       std::string(3, shade) + std::string(3, other), 1, square);
            const auto path = save(folder / "x.gif", gif);
            const int drawn = is_white ? 255 : 0;
            cv::Mat expected(24, 40, CV_8U, cv::Scalar(255 - drawn));
            for (int y = 0; y < frame.height; ++y)
                for (int x = 0; x < frame.width; ++x)
                    if (square(x, y) == 0)
                        expected.at<std::uint8_t>(frame.y + y, frame.x + x) =
                            static_cast<std::uint8_t>(drawn);
            const cv::Mat found = matrix_of(read_picture(path));
            CHECK(cv::norm(found, expected, cv::NORM_INF) == 0);
            const cv::Mat small = decode(thumbnail_jpeg(path, 40), cv::IMREAD_GRAYSCALE);
            CHECK(std::abs(small.at<std::uint8_t>(23, 39) - expected.at<std::uint8_t>(23, 39)) <
                  40);
        }
}
