#include "app/places.hpp"

#include <fmt/format.h>

namespace bowhist::app {
namespace {

namespace fs = std::filesystem;

/// A path that stays below the folder it is put under.
fs::path contained(const fs::path &path) {
    fs::path inside;
    for (const fs::path &part : path.lexically_normal())
        if (part != ".." && part != "." && !part.has_root_directory()) inside /= part;
    return inside;
}

/// Leaves room for the endings of descriptors, sidecar and temporary file: a name has 255 bytes.
fs::path with_short_name(const fs::path &path) {
    constexpr std::size_t most_bytes = 200;
    const std::string stem = path.stem().native();
    if (stem.size() <= most_bytes) return path;
    return path.parent_path() / (stem.substr(0, most_bytes) + path.extension().native());
}

} // namespace

std::filesystem::path Places::place_for(const Input &input) {
    const fs::path below =
        input.collection ? fs::path(input.collection->pictures[input.place].picture) : input.below;
    const fs::path whole = with_short_name(contained(below));
    fs::path place = fs::path(whole).replace_extension(".npy");
    for (int number = 1; !taken_.insert(place.native()).second; ++number) {
        place = whole;
        place += number == 1 ? ".npy" : fmt::format("-{}.npy", number);
    }
    return folder_ / place;
}

} // namespace bowhist::app
