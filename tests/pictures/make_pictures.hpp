#pragma once

#include "tests/support/temporary_folder.hpp"

#include <bowhist/pictures/picture.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

/// Color blobs on a ramp: structure at every scale, the same in every run.
inline cv::Mat make_photo(int width, int height) {
    cv::Mat photo(height, width, CV_8UC3);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            photo.at<cv::Vec3b>(y, x) = {static_cast<std::uint8_t>(x * 255 / width),
                                         static_cast<std::uint8_t>(y * 255 / height), 90};
        }
    }
    cv::RNG random(11);
    const int blobs = 40;
    for (int i = 0; i < blobs; ++i) {
        const cv::Point center(random.uniform(0, width), random.uniform(0, height));
        const cv::Scalar color(random.uniform(0, 256), random.uniform(0, 256),
                               random.uniform(0, 256));
        cv::circle(photo, center, random.uniform(1, 3 + height / 12), color, cv::FILLED);
    }
    return photo;
}

inline std::string encode(const char *ending, const cv::Mat &image,
                          const std::vector<int> &how = {}) {
    std::vector<std::uint8_t> bytes;
    cv::imencode(ending, image, bytes, how);
    return {bytes.begin(), bytes.end()};
}

/// What OpenCV reads.
inline cv::Mat decode(const std::string &bytes, int flags) {
    return cv::imdecode(std::vector<std::uint8_t>(bytes.begin(), bytes.end()), flags);
}

inline cv::Mat grey_of(const cv::Mat &colors) {
    cv::Mat grey;
    cv::cvtColor(colors, grey, cv::COLOR_BGR2GRAY);
    return grey;
}

inline cv::Mat matrix_of(const bowhist::Image &image) {
    cv::Mat grey(image.height, image.width, CV_8U);
    std::copy(image.pixels.begin(), image.pixels.end(), grey.begin<std::uint8_t>());
    return grey;
}

/// Of two images of one size.
inline double mean_difference(const cv::Mat &a, const cv::Mat &b) {
    return cv::norm(a, b, cv::NORM_L1) / static_cast<double>(a.total() * a.channels());
}

inline std::filesystem::path save(const std::filesystem::path &path, const std::string &bytes) {
    std::filesystem::remove(path); // ext4 syncs a file that is emptied and written anew
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
}

/// What read_image makes of a file of those bytes.
inline cv::Mat read_bytes(const std::string &bytes, int side = 0) {
    const TemporaryFolder folder;
    return matrix_of(bowhist::read_image(save(folder / "x", bytes), {.max_side = side}));
}

inline bool same(const cv::Mat &a, const cv::Mat &b) {
    return a.size() == b.size() && cv::norm(a, b, cv::NORM_INF) == 0;
}

/// What each Exif orientation, 1 to 8, asks of the pixels as stored.
inline cv::Mat turned(const cv::Mat &stored, int orientation) {
    constexpr int horizontally = 1;
    constexpr int vertically = 0;
    constexpr int both = -1;
    cv::Mat result = stored.clone();
    if (orientation >= 5) cv::transpose(stored, result);
    if (orientation == 2 || orientation == 6) cv::flip(result, result, horizontally);
    if (orientation == 4 || orientation == 8) cv::flip(result, result, vertically);
    if (orientation == 3 || orientation == 7) cv::flip(result, result, both);
    return result;
}

/// An Exif block, a big-endian TIFF, that says how the camera was held, 1 to 8.
inline std::string exif_block(int orientation) {
    using namespace std::string_literals;
    return "MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0"s + static_cast<char>(orientation) +
           "\0\0\0\0\0\0"s;
}

/// The JPEG with an APP1 segment in front of all others.
inline std::string with_app1(std::string jpeg, const std::string &payload) {
    using namespace std::string_literals;
    return jpeg.insert(2, "\xFF\xE1\0"s + static_cast<char>(payload.size() + 2) + payload);
}

/// The JPEG with an Exif segment that says how the camera was held, 1 to 8.
inline std::string with_orientation(std::string jpeg, int orientation) {
    using namespace std::string_literals;
    return with_app1(std::move(jpeg), "Exif\0\0"s + exif_block(orientation));
}

/// The JPEG with another size in its frame header.
inline std::string with_frame_size(std::string jpeg, int width, int height) {
    const auto frame = jpeg.find("\xFF\xC0");
    jpeg[frame + 5] = static_cast<char>(height >> 8);
    jpeg[frame + 6] = static_cast<char>(height);
    jpeg[frame + 7] = static_cast<char>(width >> 8);
    jpeg[frame + 8] = static_cast<char>(width);
    return jpeg;
}
