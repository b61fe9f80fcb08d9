#include "app/command/places.hpp"

#include <bowhist/io/ending.hpp>

#include <fmt/format.h>

namespace bowhist::app {
namespace {

namespace fs = std::filesystem;

/// The first bytes, but no part of a letter of UTF-8: some file systems take whole ones only.
std::string beginning(const std::string &text, std::size_t most) {
    const auto continues = [&](std::size_t place) {
        return (static_cast<unsigned char>(text[place]) & 0xC0U) == 0x80;
    };
    if (text.size() <= most) return text;
    std::size_t end = most;
    while (end > 0 && most - end < 3 && continues(end)) --end;
    return text.substr(0, continues(end) ? most : end); // that is no UTF-8
}

/// Leaves room for the endings of descriptors, sidecar and temporary file: a name has 255 bytes.
fs::path shortened(const fs::path &name) {
    return beginning(name.stem().native(), 200) + beginning(name.extension().native(), 20);
}

/// A path that stays below the folder it is put under, with a name at its end. A file that is
/// written (a.npy of a.jpg) takes no folder's place: a folder a.npy becomes a.npy_. Folders too
/// deep for a path, which has 4096 bytes, are left out.
fs::path contained(const fs::path &path) {
    fs::path folder;
    fs::path name;
    for (const fs::path &part : path.lexically_normal()) {
        if (part.empty() || part == ".." || part == "." || part.has_root_directory()) continue;
        const std::string ending = ending_of(name);
        if (ending == ".npy" || ending == ".json") name += "_";
        folder /= name;
        name = shortened(part);
    }
    if (folder.native().size() > 2000) folder.clear();
    return folder / (name.empty() ? "picture" : name);
}

} // namespace

std::filesystem::path Places::place_for(const Input &input) {
    const fs::path below =
        input.collection ? fs::path(input.collection->images[input.place].image) : input.below;
    const fs::path whole = contained(below);
    fs::path place = fs::path(whole).replace_extension(".npy");
    for (int number = 1; !taken_.insert(place.native()).second; ++number) {
        place = whole;
        place += number == 1 ? ".npy" : fmt::format("-{}.npy", number);
    }
    return folder_ / place;
}

} // namespace bowhist::app
