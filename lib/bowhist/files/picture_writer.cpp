#include <bowhist/files/picture_writer.hpp>

#include <bowhist/files/ending.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace bowhist {
namespace {

constexpr std::array<std::string_view, 8> endings = {".png", ".jpg",  ".jpeg", ".pgm",
                                                     ".bmp", ".tiff", ".tif",  ".webp"};

} // namespace

bool is_writable_picture(const std::filesystem::path &path) {
    return std::ranges::find(endings, ending_of(path)) != endings.end();
}

std::string writable_picture_endings() {
    return fmt::format("{}", fmt::join(endings, ", "));
}

} // namespace bowhist
