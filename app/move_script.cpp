#include "app/move_script.hpp"

#include <bowhist/core/counted.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/library/content_hash.hpp>
#include <bowhist/pictures/picture_file.hpp>

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>

namespace bowhist::app {
namespace {

namespace fs = std::filesystem;

// What both scripts do to each file: FROM, TO, KEPT, bytes, seconds since 1970 or -, cksum.
constexpr std::string_view functions = R"sh(
moved=0
skipped=0
time_of() { stat -c %Y -- "$1" 2>/dev/null || stat -f %m -- "$1"; }
skip() { printf 'skipped, %s: %s\n' "$2" "$1" >&2; skipped=$((skipped + 1)); }
move() {
    if [ ! -f "$1" ] || [ -L "$1" ]; then skip "$1" 'it is not there'; return; fi
    if [ ! -f "$3" ]; then skip "$1" 'what it is a copy of is not there'; return; fi
    if [ "$(($(wc -c < "$1")))" != "$4" ]; then skip "$1" 'it has another size'; return; fi
    if [ "$5" != - ] && [ "$(time_of "$1")" != "$5" ]; then skip "$1" 'it has another time'; return; fi
    if [ "$(cksum < "$1")" != "$6 $4" ]; then skip "$1" 'it has other bytes'; return; fi
    if [ -e "$2" ] || [ -L "$2" ]; then skip "$1" 'something is in its place already'; return; fi
    if mkdir -p -- "$(dirname -- "$2")" && mv -n -- "$1" "$2" && [ ! -e "$1" ]; then
        moved=$((moved + 1))
    else
        skip "$1" 'it could not be moved'
    fi
}
)sh";

constexpr std::string_view end = R"sh(
printf '%s moved, %s skipped\n' "$moved" "$skipped" >&2
[ "$skipped" -eq 0 ]
)sh";

/// The checksum that POSIX `cksum` prints.
std::uint32_t cksum(std::string_view bytes) {
    static const auto table = [] {
        std::array<std::uint32_t, 256> values{};
        for (std::uint32_t i = 0; i < 256; ++i) {
            std::uint32_t value = i << 24U;
            for (int bit = 0; bit < 8; ++bit)
                value = (value << 1U) ^ ((value & 0x80000000U) != 0 ? 0x04C11DB7U : 0U);
            values[i] = value;
        }
        return values;
    }();
    std::uint32_t sum = 0;
    const auto add = [&sum](unsigned char byte) { sum = (sum << 8U) ^ table[(sum >> 24U) ^ byte]; };
    for (const char byte : bytes) add(static_cast<unsigned char>(byte));
    for (std::size_t size = bytes.size(); size > 0; size >>= 8U)
        add(static_cast<unsigned char>(size & 0xFFU));
    return ~sum;
}

/// Below a folder: "/a/../b" becomes "b".
std::string place_below(const fs::path &path) {
    std::string place;
    for (const fs::path &part : path.lexically_normal().relative_path()) {
        if (!place.empty()) place += '/';
        place += part == ".." ? "__" : part.native();
    }
    return place;
}

/// The checksum of a file that is still what the library read.
std::optional<std::uint32_t> checksum_of(const LibraryImage &image) {
    try {
        const ImageBytes bytes(image.file(), {});
        if (bytes.stamp() != image.stamp || content_hash(bytes.bytes()) != image.hash)
            return std::nullopt;
        return cksum(bytes.bytes());
    } catch (const Error &error) {
        if (error.fault != Fault::input) throw;
        return std::nullopt;
    }
}

std::string head(std::string_view what) {
    return fmt::format("#!/bin/sh\n# {}. Read it first; then: sh FILE\ncd -- {} || exit 1\n{}\n",
                       what, shell_quoted(fs::current_path().native()), functions);
}

std::string line(const std::string &from, const std::string &to, const std::string &kept,
                 const LibraryImage &image, const std::string &time, std::uint32_t checksum) {
    return fmt::format("move {} {} {} {} {} {}\n", shell_quoted(from), shell_quoted(to),
                       shell_quoted(kept), image.stamp.size, time, checksum);
}

} // namespace

std::string shell_quoted(std::string_view word) {
    std::string quoted = "'";
    for (const char letter : word)
        if (letter == '\'')
            quoted += "'\\''";
        else
            quoted += letter;
    return quoted + "'";
}

std::size_t write_move_script(const fs::path &script, const fs::path &to, const Duplicates &found,
                              Observer &observer) {
    fs::path undo = script;
    undo += ".undo";
    AtomicFile forth(script), back(undo);
    forth.write(head(fmt::format("Moves {} to another folder", counted(found.copies(), "file"))));
    back.write(head(fmt::format("Moves back what {} moved", script)));
    std::size_t moves = 0, looked_at = 0;
    for (const DuplicateGroup &group : found.groups)
        for (const Duplicate &copy : group.images) {
            if (!is_spare(copy)) continue;
            observer.stop_if_interrupted();
            observer.progress("copies read", ++looked_at, found.copies());
            const LibraryImage &image = copy.image;
            const auto checksum = checksum_of(image);
            if (!checksum) {
                observer.warning(fmt::format("{}: changed since it was indexed, and is not moved",
                                             fs::path(image.path)));
                continue;
            }
            const std::string from =
                image.file().starts_with('-') ? "./" + image.file() : image.file();
            const std::string place = (to / place_below(image.path)).native();
            const std::string &kept = group.images.front().image.file();
            const std::int64_t nanoseconds = image.stamp.modified;
            const std::int64_t seconds =
                nanoseconds / 1'000'000'000 - (nanoseconds % 1'000'000'000 < 0 ? 1 : 0);
            forth.write(line(from, place, kept, image, std::to_string(seconds), *checksum));
            back.write(line(place, from, place, image, "-", *checksum));
            ++moves;
        }
    forth.write(end);
    back.write(end);
    back.commit();
    forth.commit();
    return moves;
}

} // namespace bowhist::app
