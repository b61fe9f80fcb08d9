#include "tests/pictures/make_pictures.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/pictures/header/image_traits.hpp>
#include <bowhist/pictures/picture.hpp>

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

std::string little_endian(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> 8 * i);
    return text;
}

std::string chunk(const std::string &type, const std::string &payload) {
    return type + little_endian(payload.size(), 4) + payload +
           std::string(payload.size() % 2, '\0');
}

/// The chunks of a still's image: ALPH, VP8, VP8L.
std::string image_chunks(const std::string &still) {
    const auto first = still.substr(12, 4) == "VP8X" ? 30 : 12;
    return still.substr(static_cast<std::size_t>(first));
}

/// @param flags  1: cleared afterwards, 2: replaces what is below
std::string frame_chunk(cv::Point place, cv::Size size, const std::string &still, char flags = 0) {
    return chunk("ANMF", little_endian(place.x / 2, 3) + little_endian(place.y / 2, 3) +
                             little_endian(size.width - 1, 3) + little_endian(size.height - 1, 3) +
                             little_endian(100, 3) + flags + image_chunks(still));
}

std::string animation(cv::Size canvas, const std::string &frames) {
    using namespace std::string_literals;
    const auto chunks = chunk("VP8X", "\x12\0\0\0"s + little_endian(canvas.width - 1, 3) +
                                          little_endian(canvas.height - 1, 3)) +
                        chunk("ICCP", "odd") + chunk("ANIM", std::string(6, '\x7F')) + frames;
    return "RIFF" + little_endian(4 + chunks.size(), 4) + "WEBP" + chunks;
}

/// Of four channels, half clear.
cv::Mat with_alpha(const cv::Mat &image) {
    cv::Mat result;
    cv::cvtColor(image, result, cv::COLOR_BGR2BGRA);
    result.colRange(0, image.cols / 2).forEach<cv::Vec4b>([](cv::Vec4b &pixel, const int *) {
        pixel[3] = 0;
    });
    return result;
}

} // namespace

TEST_CASE("webp: Of an animated one, the first frame is taken") {
    const TemporaryFolder folder;
    const cv::Size size(90, 62);
    const cv::Mat photo = make_photo(size.width, size.height);
    const auto second = frame_chunk({0, 0}, size, encode(".webp", photo.t()));
    for (const auto &image : {photo, with_alpha(photo)})
        for (const int quality : {80, 101}) {
            INFO(image.channels() << " channels, quality " << quality);
            const auto still = encode(".webp", image, {cv::IMWRITE_WEBP_QUALITY, quality});
            const auto expected = read_image(save(folder / "still.webp", still));
            const auto path =
                save(folder / "x.webp", animation(size, frame_chunk({0, 0}, size, still) + second));
            CHECK(read_image(path).pixels == expected.pixels);
            CHECK(thumbnail_jpeg(path, 50) == thumbnail_jpeg(folder / "still.webp", 50));
        }
}

TEST_CASE("webp: A frame smaller than the canvas lies on it, the rest is clear") {
    const TemporaryFolder folder;
    const cv::Size canvas(120, 100);
    const cv::Mat photo = make_photo(64, 48);
    for (const auto &image : {photo, with_alpha(photo)}) {
        const cv::Rect place({20, 30}, photo.size());
        const auto still = encode(".webp", image, {cv::IMWRITE_WEBP_QUALITY, 101});
        const auto path = save(folder / "x.webp",
                               animation(canvas, frame_chunk(place.tl(), place.size(), still)));
        cv::Mat whole(canvas, CV_8UC4, cv::Scalar::all(0));
        cv::Mat clear = image;
        if (image.channels() == 3) cv::cvtColor(image, clear, cv::COLOR_BGR2BGRA);
        clear.copyTo(whole(place));
        const auto expected = save(folder / "x.png", encode(".png", whole));
        CHECK(read_image(path).pixels == read_image(expected).pixels);
    }
}

TEST_CASE("webp: A broken animation costs a line") {
    const TemporaryFolder folder;
    const cv::Size size(90, 62);
    const auto still = encode(".webp", make_photo(size.width, size.height));
    const auto frame = frame_chunk({0, 0}, size, still);
    const auto whole = animation(size, frame);
    REQUIRE(refusal(save(folder / "x.webp", whole)).empty());
    CHECK_THAT(refusal(folder / "x.webp", {.max_pixels = 5579}), Catch::Contains("90x62 pixels"));
    const std::string broken[] = {
        animation(size, ""),                                              // no frame
        animation(size, frame_chunk({40, 0}, size, still)),               // beside the canvas
        animation({16, 16}, frame),                                       // larger than the canvas
        animation({2000, 2000}, frame_chunk({0, 0}, {2000, 100}, still)), // not of that size
        animation(size, chunk("ANMF", "short")),
        animation(size, chunk("ANMF", std::string(16, '\0'))),
        whole.substr(0, whole.size() - 200),
    };
    for (const auto &bytes : broken) {
        INFO(&bytes - broken);
        CHECK_THAT(refusal(save(folder / "x.webp", bytes)), Catch::StartsWith("damaged"));
    }
}

TEST_CASE("webp: Whole frames are counted, a still is one") {
    const cv::Mat photo = make_photo(48, 36);
    const auto still = encode(".webp", photo);
    CHECK(frame_count(still) == 1);
    std::string frames;
    for (std::uint32_t count = 1; count <= 4; ++count) {
        frames += frame_chunk({0, 0}, photo.size(), still) + chunk("XXXX", "odd");
        CHECK(frame_count(animation(photo.size(), frames)) == count);
    }
    const auto four = animation(photo.size(), frames);
    CHECK(frame_count(four.substr(0, four.size() - chunk("XXXX", "odd").size() - 1)) == 3);
}

TEST_CASE("webp: All frames are read as browsers show them") {
    const TemporaryFolder folder;
    const cv::Size canvas(64, 48);
    const cv::Mat photo = make_photo(64, 48);
    const cv::Mat part = with_alpha(make_photo(30, 20)); // its left half is clear
    const cv::Rect place(10, 8, 30, 20);
    const std::vector<int> lossless = {cv::IMWRITE_WEBP_QUALITY, 101};
    for (const char flags : {0, 1, 2, 3}) {
        const auto path =
            save(folder / "x.webp",
                 animation(canvas, frame_chunk({0, 0}, canvas, encode(".webp", photo, lossless)) +
                                       frame_chunk(place.tl(), place.size(),
                                                   encode(".webp", part, lossless), flags) +
                                       frame_chunk({40, 30}, {12, 10},
                                                   encode(".webp", make_photo(12, 10), lossless))));
        const bool replaces = (flags & 2) != 0;
        const bool clears = (flags & 1) != 0;
        cv::Mat expected = photo.clone();
        std::vector<cv::Mat> shown = {expected.clone()};
        cv::Mat opaque;
        cv::cvtColor(part, opaque, cv::COLOR_BGRA2BGR);
        const cv::Rect right(place.x + 15, place.y, 15, 20);
        opaque.colRange(15, 30).copyTo(expected(right));
        if (replaces) expected(cv::Rect(place.x, place.y, 15, 20)) = cv::Scalar::all(255);
        shown.push_back(expected.clone());
        if (clears) expected(place) = cv::Scalar::all(255);
        make_photo(12, 10).copyTo(expected(cv::Rect(40, 30, 12, 10)));
        shown.push_back(expected);
        for (const Isolation isolation : {Isolation::always, Isolation::never}) {
            const auto read = read_frames(path, {.isolation = isolation});
            REQUIRE(read.size() == 3);
            for (std::size_t i = 0; i < read.size(); ++i) {
                INFO("flags " << int(flags) << ", frame " << i);
                CHECK(same(matrix_of(read[i]), grey_of(shown[i])));
            }
        }
        CHECK(read_frames(path, {}, 2).size() == 2);
        CHECK(read_frames(path).front().pixels == read_image(path).pixels);
    }
}

TEST_CASE("webp: Frames that are half clear mix with what is below") {
    const TemporaryFolder folder;
    const cv::Size size(32, 32);
    const std::vector<int> lossless = {cv::IMWRITE_WEBP_QUALITY, 101};
    const cv::Mat below(size, CV_8UC3, cv::Scalar::all(200));
    const cv::Mat above(size, CV_8UC4, cv::Scalar(100, 100, 100, 51));
    const auto path =
        save(folder / "x.webp",
             animation(size, frame_chunk({0, 0}, size, encode(".webp", below, lossless)) +
                                 frame_chunk({0, 0}, size, encode(".webp", above, lossless))));
    const auto read = read_frames(path);
    REQUIRE(read.size() == 2);
    CHECK(
        same(matrix_of(read[1]), cv::Mat(size, CV_8U, cv::Scalar(180)))); // 200 less a fifth of 100
}

TEST_CASE("webp: A damaged later frame is refused where all are read, a still is one frame") {
    const TemporaryFolder folder;
    const cv::Size size(48, 36);
    const auto still = encode(".webp", make_photo(size.width, size.height));
    const auto frame = frame_chunk({0, 0}, size, still);
    const auto path =
        save(folder / "x.webp", animation(size, frame + frame_chunk({2, 0}, size, still)));
    CHECK(read_image(path).width == 48);
    CHECK_THROWS_WITH(read_frames(path), Catch::Contains("damaged"));
    save(path, still);
    const auto read = read_frames(path);
    REQUIRE(read.size() == 1);
    CHECK(read.front().pixels == read_image(path).pixels);
}
