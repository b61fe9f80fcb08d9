#include <bowhist/pictures/header/capture_time.hpp>

#include <bowhist/pictures/header/exif.hpp>
#include <bowhist/pictures/header/tiff_pages.hpp>

#include <algorithm>
#include <array>
#include <cctype>

namespace bowhist {
namespace {

using namespace std::string_view_literals;

constexpr std::uint64_t exif_directory = 0x8769;

/// A time, and its offset from UTC, which lies in the Exif directory.
struct TimeTags {
    std::uint64_t time;
    std::uint64_t offset;
};
constexpr TimeTags original{0x9003, 0x9011};
constexpr TimeTags digitized{0x9004, 0x9012};
constexpr TimeTags changed{0x0132, 0x9010};

/// Whether the text begins so; a `d` of the form is any digit.
bool has_form(std::string_view text, std::string_view form) {
    return text.size() >= form.size() &&
           std::equal(form.begin(), form.end(), text.begin(), [](char wanted, char letter) {
               return wanted == 'd' ? std::isdigit(static_cast<unsigned char>(letter)) != 0
                                    : wanted == letter;
           });
}

/// "2026:11:26 07:10:54" as ISO 8601; nothing where it is no date.
std::optional<std::string> as_iso(std::string_view text) {
    constexpr auto form = "dddd:dd:dd dd:dd:dd"sv;
    if (!has_form(text, form)) return std::nullopt;
    std::string date(text.substr(0, form.size()));
    if (date.starts_with("0000")) return std::nullopt;
    date[4] = date[7] = '-';
    date[10] = 'T';
    return date;
}

/// The text in an entry of a directory, wherever it lies; empty without one.
std::string_view text_in(const Tiff &tiff, std::uint64_t directory, std::uint64_t tag) {
    for (const TiffEntry &entry : tiff_entries(tiff, directory)) {
        if (entry.tag != tag) continue;
        const bool is_inside = entry.count <= static_cast<std::uint64_t>(tiff.offset_bytes());
        const auto at = is_inside ? entry.inside : tiff.number(entry.inside, tiff.offset_bytes());
        return tiff.file.text(at, entry.count);
    }
    return {};
}

/// "+02:00", of an hour and minute that a clock may differ by; else empty.
std::string_view offset_in(const Tiff &tiff, std::uint64_t exif, std::uint64_t tag) {
    const std::string_view text = text_in(tiff, exif, tag).substr(0, 6);
    const bool is_one = (has_form(text, "+dd:dd") || has_form(text, "-dd:dd")) &&
                        text.substr(1, 2) <= "14" && text[4] < '6';
    return is_one ? text : std::string_view{};
}

} // namespace

std::optional<std::string> capture_time(std::string_view file) {
    const Bytes bytes(exif_block(file));
    if (bytes.size() == 0) return std::nullopt;
    const Tiff tiff(bytes);
    const std::uint64_t first = tiff.first_directory();
    std::uint64_t exif = 0;
    for (const TiffEntry &entry : tiff_entries(tiff, first))
        if (entry.tag == exif_directory) exif = tiff.number(entry.inside, tiff.offset_bytes());
    const auto time = [&](std::uint64_t directory, const TimeTags &tags) {
        auto date = as_iso(text_in(tiff, directory, tags.time));
        if (date && exif != 0) date->append(offset_in(tiff, exif, tags.offset));
        return date;
    };
    if (exif != 0) {
        if (auto date = time(exif, original)) return date;
        if (auto date = time(exif, digitized)) return date;
    }
    return time(first, changed);
}

bool is_default_time(std::string_view captured) {
    /// ISO 8601 in the order of its letters is in that of time. The first two are whole months: no
    /// camera that writes Exif took pictures then. People did on the other two days, so only the
    /// hour after a reset is in doubt.
    struct Times {
        std::string_view from, to;
    };
    constexpr std::array defaults{Times{"0001-", "0002-"}, Times{"1970-01-01", "1970-02-01"},
                                  Times{"1980-01-01", "1980-02-01"},
                                  Times{"2000-01-01T00", "2000-01-01T01"},
                                  Times{"2002-12-08T12", "2002-12-08T13"}};
    return std::ranges::any_of(defaults, [captured](const Times &times) {
        return times.from <= captured && captured < times.to;
    });
}

} // namespace bowhist
