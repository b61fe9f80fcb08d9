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

// What both scripts do to each file: FROM, TO, bytes, seconds since 1970 or -, cksum; then of what
// is kept its path, bytes and seconds.
constexpr std::string_view functions = R"sh(
moved=0
skipped=0
bytes_of() { echo "$(($(wc -c < "$1")))"; }
time_of() { stat -L -c %Y -- "$1" 2>/dev/null || stat -L -f %m -- "$1"; }
skip() { printf 'skipped, %s: %s\n' "$2" "$1" >&2; skipped=$((skipped + 1)); }
is_kept() {
    if [ ! -f "$2" ]; then skip "$1" 'what it is a copy of is not there'
    elif [ "$1" -ef "$2" ]; then skip "$1" 'it is the same file as what it is a copy of'
    elif [ "$(bytes_of "$2")" != "$3" ] || [ "$(time_of "$2")" != "$4" ]; then
        skip "$1" 'what it is a copy of changed'
    else return 0; fi
    return 1
}
move() {
    if [ -L "$1" ]; then skip "$1" 'it is a link'; return; fi
    if [ ! -f "$1" ]; then skip "$1" 'it is not there'; return; fi
    if [ "$#" -gt 5 ]; then is_kept "$1" "$6" "$7" "$8" || return; fi
    if [ "$(bytes_of "$1")" != "$3" ]; then skip "$1" 'it has another size'; return; fi
    if [ "$4" != - ] && [ "$(time_of "$1")" != "$4" ]; then skip "$1" 'it has another time'; return; fi
    if [ "$(cksum < "$1")" != "$5 $3" ]; then skip "$1" 'it has other bytes'; return; fi
    if [ -e "$2" ] || [ -L "$2" ]; then skip "$1" 'something is in its place already'; return; fi
    if mkdir -p -- "${2%/*}" && mv -n -- "$1" "$2" && [ ! -e "$1" ]; then
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

std::string seconds_of(const FileStamp &stamp) {
    const std::int64_t nanoseconds = stamp.modified;
    return std::to_string(nanoseconds / 1'000'000'000 - (nanoseconds % 1'000'000'000 < 0 ? 1 : 0));
}

/// As a word that is no option, and no file of its own in the folder where it lies.
std::string path_word(const std::string &path) {
    return shell_quoted(path.starts_with('/') ? path : "./" + path);
}

std::string line(const std::string &from, const std::string &to, const LibraryImage &image,
                 const std::string &time, std::uint32_t checksum) {
    return fmt::format("move {} {} {} {} {}", path_word(from), path_word(to), image.stamp.size,
                       time, checksum);
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

fs::path undo_of(const fs::path &script) {
    if (script.empty()) return {};
    fs::path undo = script;
    undo += ".undo";
    return undo;
}

void require_new_script(const fs::path &script) {
    for (const fs::path &file : {script, undo_of(script)})
        if (fs::exists(fs::symlink_status(file)))
            throw Error(Fault::usage,
                        fmt::format("{}: is there already, and may be needed to undo moves; give "
                                    "--script another name, or remove it",
                                    file));
}

std::size_t write_move_script(const fs::path &script, const fs::path &to, const Duplicates &found,
                              Observer &observer) {
    const fs::path undo = undo_of(script);
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
            const std::string place = (to / place_below(image.path)).native();
            const LibraryImage &kept = group.images.front().image;
            forth.write(
                fmt::format("{} {} {} {}\n",
                            line(image.file(), place, image, seconds_of(image.stamp), *checksum),
                            path_word(kept.file()), kept.stamp.size, seconds_of(kept.stamp)));
            back.write(line(place, image.file(), image, "-", *checksum) + "\n");
            ++moves;
        }
    forth.write(end);
    back.write(end);
    back.commit();
    forth.commit();
    return moves;
}

} // namespace bowhist::app
