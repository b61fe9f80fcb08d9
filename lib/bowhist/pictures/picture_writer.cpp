#include <bowhist/pictures/picture_writer.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/pictures/codecs.hpp>

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

void write_picture(const std::filesystem::path &path, const Image &image) {
    if (!is_writable_picture(path))
        throw Error(Fault::output, fmt::format("{}: its ending names no picture's format; end it "
                                               "in one of {}",
                                               printable(path), writable_picture_endings()));
    std::vector<std::uint8_t> bytes;
    try {
        bytes = codecs().encode(ending_of(path), image);
    } catch (const Error &error) {
        throw Error(Fault::output, fmt::format("{}: {}", printable(path), error.what()));
    }
    AtomicFile file(path);
    file.write(bytes_of(bytes));
    file.commit();
}

} // namespace bowhist
