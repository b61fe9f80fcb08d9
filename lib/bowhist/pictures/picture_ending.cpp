#include <bowhist/pictures/picture.hpp>

#include <bowhist/io/ending.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace bowhist {

bool has_picture_ending(const std::filesystem::path &path) {
    static constexpr std::array<std::string_view, 24> endings = {
        ".jpg", ".jpeg", ".jpe", ".jfif", ".png",  ".webp", ".tif", ".tiff",
        ".bmp", ".dib",  ".pbm", ".pgm",  ".ppm",  ".pnm",  ".jp2", ".j2k",
        ".j2c", ".ras",  ".sr",  ".gif",  ".heic", ".heif", ".hif", ".avif"};
    return std::ranges::find(endings, ending_of(path)) != endings.end();
}

} // namespace bowhist
