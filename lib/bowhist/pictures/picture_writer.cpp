#include <bowhist/pictures/picture_writer.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/io/ending.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace bowhist {
namespace {

constexpr std::array<std::string_view, 8> all_endings = {".png",  ".jpg", ".jpeg", ".bmp",
                                                         ".tiff", ".tif", ".webp", ".pgm"};

/// All but .pgm hold colors.
std::span<const std::string_view> endings(Color color) {
    return std::span(all_endings).first(all_endings.size() - (color == Color::grey ? 0 : 1));
}

/// The file of the raster that `make` returns; commit() is left to do.
template <typename Make>
AtomicFile prepare(const std::filesystem::path &path, const Make &make) {
    if (!is_writable_image(path))
        throw Error(Fault::output, fmt::format("{}: its ending names no picture's format; end it "
                                               "in one of {}",
                                               path, writable_image_endings()));
    std::vector<std::uint8_t> bytes;
    try {
        if (codecs().encode == nullptr)
            throw Error(Fault::output, "this bowhist was built without OpenCV, which writes "
                                       "pictures and draws keypoints; build it with OpenCV");
        bytes = codecs().encode(ending_of(path), make());
    } catch (const Error &error) {
        throw Error(Fault::output, fmt::format("{}: {}", path, error.what()));
    }
    AtomicFile file(path);
    file.write(bytes_of(bytes));
    return file;
}

} // namespace

bool is_writable_image(const std::filesystem::path &path, Color color) {
    const auto some = endings(color);
    return std::ranges::find(some, ending_of(path)) != some.end();
}

std::string writable_image_endings(Color color) {
    return fmt::format("{}", fmt::join(endings(color), ", "));
}

void write_image(const std::filesystem::path &path, const Image &image) {
    prepare(path, [&] {
        return Raster{image.width, image.height, Color::grey, image.pixels};
    }).commit();
}

void write_keypoints(const std::filesystem::path &path, const Image &image,
                     std::span<const Keypoint> keypoints, KeypointShape shape) {
    prepare(path, [&] { return codecs().draw(image, keypoints, shape); }).commit();
}

void require_drawable(const std::filesystem::path &path) {
    prepare(path, [] { return codecs().draw({1, 1, {0}}, {}, KeypointShape::circle); });
}

} // namespace bowhist
