#include "tests/pictures/make_pictures.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/pictures/header/image_traits.hpp>
#include <bowhist/pictures/picture.hpp>

#include <catch2/catch.hpp>

#include <gif_lib.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

struct Frame {
    cv::Rect place;
    bool interlaced = false;
    int transparent = NO_TRANSPARENT_COLOR;
    int first_index = 0; ///< pixel (x, y) has the index first_index + x + 3y, modulo 256
    int disposal = DISPOSAL_UNSPECIFIED;
};

cv::Vec3b color_of(int index) {
    return {static_cast<std::uint8_t>(index * 7), static_cast<std::uint8_t>(index * 5),
            static_cast<std::uint8_t>(index)};
}

int index_at(const Frame &frame, int x, int y) {
    return (frame.first_index + x + 3 * y) % 256;
}

std::string encode_gif(cv::Size canvas, const std::vector<Frame> &frames,
                       cv::Vec3b (*color)(int) = color_of) {
    std::string bytes;
    const auto append = [](GifFileType *gif, const GifByteType *data, int count) {
        static_cast<std::string *>(gif->UserData)
            ->append(reinterpret_cast<const char *>(data), static_cast<std::size_t>(count));
        return count;
    };
    int error = 0;
    GifFileType *gif = EGifOpen(&bytes, append, &error);
    std::vector<GifColorType> colors;
    for (int i = 0; i < 256; ++i) colors.push_back({color(i)[2], color(i)[1], color(i)[0]});
    ColorMapObject *palette = GifMakeMapObject(256, colors.data());
    EGifSetGifVersion(gif, true);
    EGifPutScreenDesc(gif, canvas.width, canvas.height, 8, 0, palette);
    for (const Frame &frame : frames) {
        const GraphicsControlBlock control = {frame.disposal, false, 0, frame.transparent};
        GifByteType extension[4];
        EGifGCBToExtension(&control, extension);
        EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, 4, extension);
        EGifPutImageDesc(gif, frame.place.x, frame.place.y, frame.place.width, frame.place.height,
                         frame.interlaced, nullptr);
        const std::pair<int, int> passes[] = {{0, 8}, {4, 8}, {2, 4}, {1, 2}};
        std::vector<int> rows;
        if (frame.interlaced)
            for (const auto &[first, step] : passes)
                for (int y = first; y < frame.place.height; y += step) rows.push_back(y);
        else
            for (int y = 0; y < frame.place.height; ++y) rows.push_back(y);
        for (const int y : rows) {
            std::vector<GifPixelType> row;
            for (int x = 0; x < frame.place.width; ++x)
                row.push_back(static_cast<GifPixelType>(index_at(frame, x, y)));
            EGifPutLine(gif, row.data(), frame.place.width);
        }
    }
    GifFreeMapObject(palette);
    EGifCloseFile(gif, &error);
    return bytes;
}

/// The frame as it lies on white, in grey by OpenCV's weights.
cv::Mat expected_grey(cv::Size canvas, const Frame &frame) {
    cv::Mat colors(canvas, CV_8UC3, cv::Scalar(255, 255, 255));
    for (int y = 0; y < frame.place.height; ++y)
        for (int x = 0; x < frame.place.width; ++x)
            if (const int index = index_at(frame, x, y); index != frame.transparent)
                colors.at<cv::Vec3b>(frame.place.y + y, frame.place.x + x) = color_of(index);
    return grey_of(colors);
}

/// The canvas at each frame, as browsers show it: by indices on a clear canvas, then grey on white.
std::vector<cv::Mat> expected_frames(cv::Size canvas, const std::vector<Frame> &frames) {
    cv::Mat indices(canvas, CV_32S, cv::Scalar(-1));
    std::vector<cv::Mat> shown;
    for (const Frame &frame : frames) {
        const cv::Mat before = indices.clone();
        const cv::Rect seen = frame.place & cv::Rect({}, canvas);
        for (int y = seen.y; y < seen.y + seen.height; ++y)
            for (int x = seen.x; x < seen.x + seen.width; ++x) {
                const int index = index_at(frame, x - frame.place.x, y - frame.place.y);
                if (index != frame.transparent) indices.at<int>(y, x) = index;
            }
        cv::Mat colors(canvas, CV_8UC3);
        for (int y = 0; y < canvas.height; ++y)
            for (int x = 0; x < canvas.width; ++x) {
                const int index = indices.at<int>(y, x);
                colors.at<cv::Vec3b>(y, x) = index < 0 ? cv::Vec3b::all(255) : color_of(index);
            }
        shown.push_back(grey_of(colors));
        if (frame.disposal == DISPOSE_BACKGROUND) indices(seen) = cv::Scalar(-1);
        if (frame.disposal == DISPOSE_PREVIOUS) indices = before;
    }
    return shown;
}

} // namespace

TEST_CASE("gif: The first frame lies on its ground") {
    const TemporaryFolder folder;
    const cv::Size canvas(150, 90);
    const Frame second = {{0, 0, 150, 90}, false, NO_TRANSPARENT_COLOR, 99};
    const Frame frames[] = {{{0, 0, 150, 90}},
                            {{20, 10, 77, 53}},
                            {{0, 0, 150, 90}, true},
                            {{3, 5, 70, 13}, true, 40},
                            {{0, 0, 150, 90}, false, 200}};
    for (const Frame &frame : frames) {
        INFO(frame.place << " interlaced " << frame.interlaced << ", " << frame.transparent);
        const auto path = save(folder / "x.gif", encode_gif(canvas, {frame, second}));
        const auto image = read_image(path);
        const auto expected = expected_grey(canvas, frame);
        REQUIRE(cv::Size(image.width, image.height) == canvas);
        CHECK(std::equal(expected.begin<std::uint8_t>(), expected.end<std::uint8_t>(),
                         image.pixels.begin(), image.pixels.end()));
        CHECK(read_image(path, {.max_side = 50}).height == 30);
        CHECK_FALSE(thumbnail_jpeg(path, 50).empty());
    }
}

TEST_CASE("gif: Cuts and large canvases are refused") {
    const TemporaryFolder folder;
    const auto whole = encode_gif({40, 30}, {{{0, 0, 40, 30}}});
    REQUIRE(refusal(save(folder / "x.gif", whole)).empty());
    CHECK_THAT(refusal(folder / "x.gif", {.max_pixels = 1199}), Catch::Contains("limit of 1199"));
    for (std::size_t size = 4; size + 20 < whole.size(); ++size) {
        INFO(size);
        CHECK_FALSE(refusal(save(folder / "cut.gif", whole.substr(0, size))).empty());
    }
}

TEST_CASE("gif: A frame larger than its canvas is the canvas, and what lies beyond is cut off") {
    const TemporaryFolder folder;
    const cv::Rect all(0, 0, 40, 30);
    const std::pair<cv::Size, cv::Rect> larger[] = {{{0, 0}, all},
                                                    {{40, 29}, all},
                                                    {{39, 30}, all},
                                                    {{1, 1}, all},
                                                    {{100, 29}, all},
                                                    {{0, 30}, all},
                                                    {{39, 29}, all + cv::Point(7, 5)}};
    for (const auto &[canvas, place] : larger)
        for (const bool interlaced : {false, true}) {
            INFO(canvas << ", " << place);
            const auto path =
                save(folder / "x.gif", encode_gif(canvas, {{place, interlaced}, {{0, 0, 1, 1}}}));
            const auto expected = expected_grey(all.size(), {all, interlaced});
            CHECK(mean_difference(matrix_of(read_image(path)), expected) == 0);
            CHECK_THAT(refusal(path, {.max_pixels = 1199}), Catch::Contains("40x30 pixels"));
        }
    for (const auto &corner : {cv::Point(10, 0), {0, 7}, {35, 28}, {40, 30}, {65535, 65535}}) {
        INFO(corner);
        const Frame frame = {{corner, all.size()}, true};
        const auto path = save(folder / "x.gif", encode_gif(all.size(), {frame}));
        cv::Mat expected(30, 40, CV_8U, cv::Scalar(255));
        const cv::Rect seen = frame.place & all;
        if (!seen.empty()) expected_grey(all.size(), {all})(seen - corner).copyTo(expected(seen));
        CHECK(mean_difference(matrix_of(read_image(path)), expected) == 0);
    }
}

TEST_CASE("gif: All rows without the end of the file are the whole picture") {
    const TemporaryFolder folder;
    for (const bool interlaced : {false, true}) {
        const Frame frame = {{0, 0, 120, 90}, interlaced}; // several blocks
        const auto whole = encode_gif({120, 90}, {frame});
        const auto expected = expected_grey({120, 90}, frame);
        std::size_t taken = 0;
        for (std::size_t cut = 1; cut < 12; ++cut) {
            INFO("without the last " << cut << " bytes");
            const auto path = save(folder / "x.gif", whole.substr(0, whole.size() - cut));
            if (!refusal(path).empty()) {
                CHECK_THAT(refusal(path), Catch::StartsWith("damaged"));
                continue;
            }
            CHECK(mean_difference(matrix_of(read_image(path)), expected) == 0);
            CHECK(++taken == cut);
        }
        CHECK(taken >= 2); // the file's end and that of the blocks
        CHECK(taken < 8);
        const auto path = save(folder / "x.gif", whole.substr(0, whole.size() - 2) + "rubbish");
        CHECK(mean_difference(matrix_of(read_image(path)), expected) == 0);
    }
}

TEST_CASE("gif: White on a clear ground lies on black, black on white") {
    const TemporaryFolder folder;
    const auto white = [](int) { return cv::Vec3b(255, 255, 255); };
    const auto black = [](int) { return cv::Vec3b(0, 0, 0); };
    for (const bool is_white : {true, false})
        for (const cv::Rect place : {cv::Rect(0, 0, 120, 90), {5, 3, 100, 80}}) {
            INFO("white " << is_white << ", " << place);
            const Frame frame = {place, false, 7};
            const auto gif = is_white ? encode_gif({120, 90}, {frame}, white)
                                      : encode_gif({120, 90}, {frame}, black);
            const auto path = save(folder / "x.gif", gif);
            const std::uint8_t drawn = is_white ? 255 : 0;
            cv::Mat expected(90, 120, CV_8U, cv::Scalar(255 - drawn));
            for (int y = 0; y < place.height; ++y)
                for (int x = 0; x < place.width; ++x)
                    if (index_at(frame, x, y) != 7)
                        expected.at<std::uint8_t>(place.y + y, place.x + x) = drawn;
            CHECK(same(matrix_of(read_image(path)), expected));
            const cv::Mat small = decode(thumbnail_jpeg(path, 120), cv::IMREAD_GRAYSCALE);
            CHECK(std::abs(small.at<std::uint8_t>(89, 119) - expected.at<std::uint8_t>(89, 119)) <
                  40);
        }
}

TEST_CASE("gif: Frames are counted by their descriptions") {
    const cv::Size canvas(40, 30);
    const Frame frame{{0, 0, 40, 30}};
    for (const std::size_t count : {1U, 2U, 9U}) {
        const auto gif = encode_gif(canvas, std::vector<Frame>(count, frame));
        CHECK(frame_count(gif) == count);
        CHECK(frame_count(gif.substr(0, gif.size() - 1)) == count); // without its end
    }
    const auto three = encode_gif(canvas, std::vector<Frame>(3, frame));
    std::uint32_t before = 1;
    for (std::size_t size = 0; size < three.size(); ++size) {
        const auto now = frame_count(three.substr(0, size));
        CHECK((now == before || now == before + 1));
        before = now;
    }
    CHECK(before == 3);
}

TEST_CASE("gif: All frames are read as browsers show them") {
    const TemporaryFolder folder;
    const cv::Size canvas(60, 40);
    const cv::Rect all({}, canvas);
    const int none = NO_TRANSPARENT_COLOR;
    for (const int disposal :
         {DISPOSAL_UNSPECIFIED, DISPOSE_DO_NOT, DISPOSE_BACKGROUND, DISPOSE_PREVIOUS}) {
        const std::vector<Frame> frames = {{all, false, none, 0, DISPOSE_DO_NOT},
                                           {{10, 5, 30, 20}, true, 40, 99, disposal},
                                           {{20, 15, 35, 25}, false, 7, 31, disposal},
                                           {{50, 30, 30, 30}, false, none, 5, disposal},
                                           {{0, 0, 9, 9}, false, 200, 180, disposal},
                                           {{5, 5, 20, 20}, false, none, 77, DISPOSE_DO_NOT}};
        const auto path = save(folder / "x.gif", encode_gif(canvas, frames));
        const auto expected = expected_frames(canvas, frames);
        for (const Isolation isolation : {Isolation::always, Isolation::never}) {
            const auto read = read_frames(path, {.isolation = isolation});
            REQUIRE(read.size() == frames.size());
            for (std::size_t i = 0; i < read.size(); ++i) {
                INFO("disposal " << disposal << ", frame " << i);
                CHECK(same(matrix_of(read[i]), expected[i]));
            }
        }
        CHECK(read_frames(path, {}, 2).size() == 2);
        const auto small = read_frames(path, {.max_side = 30});
        CHECK(small.back().width == 30);
        CHECK(small.front().pixels == read_image(path, {.max_side = 30}).pixels);
    }
}

TEST_CASE("gif: The first of all frames is the image, also where it is larger than the canvas") {
    const TemporaryFolder folder;
    const Frame second = {{0, 0, 9, 9}, false, NO_TRANSPARENT_COLOR, 50, DISPOSE_BACKGROUND};
    for (const cv::Size canvas : {cv::Size(0, 0), {40, 29}, {100, 29}, {40, 30}}) {
        const Frame first = {{0, 0, 40, 30}, false, 3, 0, DISPOSE_BACKGROUND};
        const auto path = save(folder / "x.gif", encode_gif(canvas, {first, second, second}));
        const auto read = read_frames(path);
        REQUIRE(read.size() == 3);
        CHECK(read.front().pixels == read_image(path).pixels);
        CHECK(read[2].pixels == read[1].pixels);
    }
}

TEST_CASE("gif: A damaged later frame and too many pixels are refused where all are read") {
    const TemporaryFolder folder;
    const Frame frame = {{0, 0, 40, 30}};
    const auto whole = encode_gif({40, 30}, std::vector<Frame>(3, frame));
    const auto path = save(folder / "x.gif", whole.substr(0, whole.size() - whole.size() / 6));
    CHECK(read_image(path).width == 40);
    CHECK(read_frames(path, {}, 1).size() == 1);
    CHECK_THROWS_WITH(read_frames(path), Catch::Contains("damaged"));
    save(path, whole);
    CHECK(read_frames(path, {.max_pixels = 3600}).size() == 3);
    CHECK_THROWS_WITH(read_frames(path, {.max_pixels = 3599}),
                      Catch::Contains("3 frames or pages of 3600 pixels together"));
}
