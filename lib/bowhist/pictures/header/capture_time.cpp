#include <bowhist/pictures/header/capture_time.hpp>

#include <bowhist/pictures/header/tiff_pages.hpp>

#include <algorithm>
#include <array>
#include <cctype>

namespace bowhist {
namespace {

using namespace std::string_view_literals;

constexpr std::uint64_t exif_directory = 0x8769;
constexpr std::uint64_t date_time = 0x0132;
constexpr std::uint64_t date_time_original = 0x9003;
constexpr std::uint64_t date_time_digitized = 0x9004;

bool begins_tiff(std::string_view bytes) {
    return bytes.starts_with("II*\0"sv) || bytes.starts_with("MM\0*"sv);
}

/// "2026:11:26 07:10:54" as ISO 8601; nothing where it is no date.
std::optional<std::string> as_iso(std::string_view text) {
    constexpr auto form = "dddd:dd:dd dd:dd:dd"sv;
    if (text.size() < form.size()) return std::nullopt;
    std::string date(text.substr(0, form.size()));
    for (std::size_t i = 0; i < form.size(); ++i) {
        const bool is_digit = std::isdigit(static_cast<unsigned char>(date[i])) != 0;
        if (form[i] == 'd' ? !is_digit : date[i] != form[i]) return std::nullopt;
    }
    if (date.starts_with("0000")) return std::nullopt;
    date[4] = date[7] = '-';
    date[10] = 'T';
    return date;
}

/// The date in an entry of a directory.
std::optional<std::string> date_in(const Tiff &tiff, std::uint64_t directory, std::uint64_t tag) {
    for (const TiffEntry &entry : tiff_entries(tiff, directory))
        if (entry.tag == tag)
            return as_iso(
                tiff.file.text(tiff.number(entry.inside, tiff.offset_bytes()), entry.count));
    return std::nullopt;
}

std::optional<std::string> time_in(std::string_view block) {
    const Bytes bytes(block);
    const Tiff tiff(bytes);
    const std::uint64_t first = tiff.first_directory();
    for (const TiffEntry &entry : tiff_entries(tiff, first)) {
        if (entry.tag != exif_directory) continue;
        const std::uint64_t exif = tiff.number(entry.inside, tiff.offset_bytes());
        if (auto date = date_in(tiff, exif, date_time_original)) return date;
        if (auto date = date_in(tiff, exif, date_time_digitized)) return date;
    }
    return date_in(tiff, first, date_time);
}

} // namespace

std::optional<std::string> capture_time(std::string_view file) {
    if (begins_tiff(file)) return time_in(file);
    // how containers name a block, and what stands between the name and the block
    constexpr std::array names{std::pair{"Exif\0\0"sv, 0}, std::pair{"eXIf"sv, 0},
                               std::pair{"EXIF"sv, 4}};
    for (const auto &[name, gap] : names)
        for (auto at = file.find(name); at != file.npos; at = file.find(name, at + 1)) {
            const auto begin = std::min(file.size(), at + name.size() + gap);
            const std::string_view block = file.substr(begin);
            if (begins_tiff(block)) return time_in(block);
        }
    return std::nullopt;
}

bool is_default_time(std::string_view captured) {
    using namespace std::string_view_literals;
    constexpr std::array defaults{"1970-01-01T00:00"sv, "1980-01-01T00:00"sv, "2000-01-01T00:00"sv,
                                  "2002-12-08T12:00"sv};
    return captured.starts_with("0001-") ||
           std::ranges::find(defaults, captured.substr(0, 16)) != defaults.end();
}

} // namespace bowhist
