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

constexpr std::array<std::string_view, 8> endings = {".png", ".jpg",  ".jpeg", ".pgm",
                                                     ".bmp", ".tiff", ".tif",  ".webp"};

/// Writes the raster that `make` returns.
template <typename Make>
void write(const std::filesystem::path &path, const Make &make) {
    if (!is_writable_picture(path))
        throw Error(Fault::output, fmt::format("{}: its ending names no picture's format; end it "
                                               "in one of {}",
                                               printable(path), writable_picture_endings()));
    std::vector<std::uint8_t> bytes;
    try {
        bytes = codecs().encode(ending_of(path), make());
    } catch (const Error &error) {
        throw Error(Fault::output, fmt::format("{}: {}", printable(path), error.what()));
    }
    AtomicFile file(path);
    file.write(bytes_of(bytes));
    file.commit();
}

} // namespace

bool is_writable_picture(const std::filesystem::path &path) {
    return std::ranges::find(endings, ending_of(path)) != endings.end();
}

std::string writable_picture_endings() {
    return fmt::format("{}", fmt::join(endings, ", "));
}

void write_picture(const std::filesystem::path &path, const Image &image) {
    write(path, [&] { return Raster{image.width, image.height, Colour::grey, image.pixels}; });
}

void write_keypoints(const std::filesystem::path &path, const Image &image,
                     std::span<const Keypoint> keypoints, KeypointShape shape) {
    write(path, [&] { return codecs().draw(image, keypoints, shape); });
}

} // namespace bowhist
