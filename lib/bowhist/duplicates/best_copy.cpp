#include <bowhist/duplicates/best_copy.hpp>

#include <bowhist/io/ending.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace bowhist {
namespace {

/// Formats without loss first.
constexpr std::array<std::string_view, 9> formats{"tiff", "png", "bmp",  "heic", "avif",
                                                  "jpeg", "jp2", "webp", "gif"};

/// Chosen ones first.
std::ptrdiff_t rank_of_format(const std::string &path, std::span<const std::string> chosen) {
    const std::string ending = ending_of(path);
    const std::string_view format =
        format_of(ending.empty() ? std::string_view() : std::string_view(ending).substr(1));
    const auto found = std::ranges::find(chosen, format);
    if (found != chosen.end()) return found - chosen.begin();
    return std::ssize(chosen) + (std::ranges::find(formats, format) - formats.begin());
}

std::int64_t pixels_of(const LibraryImage &image) {
    return std::int64_t{image.width} * image.height;
}

/// Seconds since 1970 as Exif would write them, so that both kinds of times compare.
std::string time_of(const LibraryImage &image) {
    if (image.captured) return *image.captured;
    std::int64_t seconds = image.stamp.modified / 1'000'000'000;
    std::int64_t days = seconds / 86400;
    seconds -= days * 86400;
    if (seconds < 0) {
        seconds += 86400;
        --days;
    }
    // the civil date of a day (H. Hinnant, chrono-compatible low-level date algorithms)
    days += 719468;
    const std::int64_t era = (days >= 0 ? days : days - 146096) / 146097;
    const std::int64_t day_of_era = days - era * 146097;
    const std::int64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    const std::int64_t day_of_year =
        day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const std::int64_t month_part = (5 * day_of_year + 2) / 153;
    const std::int64_t day = day_of_year - (153 * month_part + 2) / 5 + 1;
    const std::int64_t month = month_part < 10 ? month_part + 3 : month_part - 9;
    const std::int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", year, month, day, seconds / 3600,
                       seconds / 60 % 60, seconds % 60);
}

/// Below 0 where the first is better.
int compare(const LibraryImage &one, const Wholeness &of_one, const LibraryImage &other,
            const Wholeness &of_other, Preference preference, std::span<const std::string> chosen) {
    const auto less = [](const auto &a, const auto &b) { return a < b ? -1 : b < a ? 1 : 0; };
    switch (preference) {
    case Preference::whole:
        return less(of_one.faults(), of_other.faults());
    case Preference::pixels:
        return less(pixels_of(other), pixels_of(one));
    case Preference::bytes:
        return less(other.stamp.size, one.stamp.size);
    case Preference::format:
        return less(rank_of_format(one.path, chosen), rank_of_format(other.path, chosen));
    case Preference::path:
        return less(one.path.size(), other.path.size());
    case Preference::oldest:
        return less(time_of(one), time_of(other));
    }
    return 0;
}

} // namespace

std::span<const std::string_view> known_formats() {
    return formats;
}

std::string_view format_of(std::string_view ending) {
    if (ending == "jpg") return "jpeg";
    if (ending == "tif") return "tiff";
    if (ending == "heif") return "heic";
    const auto found = std::ranges::find(formats, ending);
    return found == formats.end() ? std::string_view() : *found;
}

void Wholeness::add(const Judgement &judgement, bool of_first) {
    lacks |= of_first ? judgement.first_lacks : judgement.second_lacks;
    bordered |= of_first ? judgement.first_bordered : judgement.second_bordered;
    overlaid_pairs += judgement.overlaid && judgement.first_is_overlaid == of_first;
    turned_pairs += judgement.turned;
    ++pairs;
}

bool is_better(const LibraryImage &one, const Wholeness &of_one, const LibraryImage &other,
               const Wholeness &of_other, const Preferences &preferences) {
    for (const Preference preference : preferences.order) {
        const int difference =
            compare(one, of_one, other, of_other, preference, preferences.formats);
        if (difference != 0) return difference < 0;
    }
    return one.path < other.path;
}

std::vector<Preference> usual_preferences() {
    return {Preference::whole, Preference::pixels, Preference::bytes, Preference::format,
            Preference::path};
}

} // namespace bowhist
