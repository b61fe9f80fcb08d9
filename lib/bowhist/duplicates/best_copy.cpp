#include <bowhist/duplicates/best_copy.hpp>

#include <bowhist/io/ending.hpp>
#include <bowhist/pictures/header/capture_time.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <tuple>

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

std::string_view name_of(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

std::int64_t pixels_of(const LibraryImage &image) {
    return std::int64_t{image.width} * image.height;
}

/// When an image was captured, as far as it is known: in seconds since 1970.
struct TimeSpan {
    std::int64_t from = 0;
    std::int64_t to = 0;
};

constexpr std::int64_t day = 86400;

/// Days from 1970-01-01 (H. Hinnant, chrono-compatible low-level date algorithms).
std::int64_t days_of(std::int64_t year, std::int64_t month, std::int64_t date) {
    year -= month <= 2 ? 1 : 0;
    const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
    const std::int64_t year_of_era = year - era * 400;
    const std::int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + date - 1;
    const std::int64_t day_of_era =
        year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * 146097 + day_of_era - 719468;
}

/// "2026-11-26T07:10:54" is the clock of an unknown place: a day's doubt. An offset removes it.
std::optional<TimeSpan> captured_span(const std::string &captured) {
    constexpr std::size_t clock_length = 19;
    const auto number = [&captured](std::size_t at, std::size_t length) {
        std::int64_t value = 0;
        for (std::size_t i = at; i < at + length; ++i) value = value * 10 + (captured[i] - '0');
        return value;
    };
    if (captured.size() < clock_length) return std::nullopt;
    const std::int64_t clock = days_of(number(0, 4), number(5, 2), number(8, 2)) * day +
                               number(11, 2) * 3600 + number(14, 2) * 60 + number(17, 2);
    if (captured.size() < clock_length + 6) return TimeSpan{clock - day / 2, clock + day / 2};
    const std::int64_t offset = number(20, 2) * 3600 + number(23, 2) * 60;
    const std::int64_t time = clock + (captured[clock_length] == '-' ? offset : -offset);
    return TimeSpan{time, time};
}

/// Nothing where Exif says none, or one that cameras write that know no time.
std::optional<TimeSpan> capture_of(const LibraryImage &image) {
    if (!image.captured || is_default_time(*image.captured)) return std::nullopt;
    return captured_span(*image.captured);
}

/// When the image was captured, else the time of its file.
TimeSpan time_of(const LibraryImage &image) {
    const std::int64_t seconds = image.stamp.modified / 1'000'000'000;
    return capture_of(image).value_or(TimeSpan{seconds, seconds});
}

/// Below 0 where the first was captured before; 0 where that is in doubt.
int compare_times(const LibraryImage &one, const LibraryImage &other) {
    const TimeSpan first = time_of(one), second = time_of(other);
    return first.to < second.from ? -1 : second.to < first.from ? 1 : 0;
}

/// Whether an image is a grey or toned version of one in color. Richer colors alone are no reason
/// to prefer an edited copy.
bool is_toned(const LibraryImage &image, const LibraryImage &other) {
    constexpr double most = 1.25; // levels: the 94 photographs' sepia versions have 0.7 to 2.8
    constexpr double least = 2.5; // of the other
    return image.color && other.color && *image.color < most && *other.color >= least;
}

/// Compares in how much detail two images show what both show.
/// @param scale  pixels of the second for one of the first, along a line
/// @return below 0 if the first has more detail, above 0 if the second has; 0 in doubt
int compare_details(const ImageQuality &first, const ImageQuality &second, double scale) {
    constexpr double equal = 1.02;   // scales
    constexpr double blurred = 2.5;  // of equal size
    constexpr double visible = 1.25; // of the larger one
    constexpr double of_smaller = 2; // the larger one is an enlarged one, beyond doubt
    constexpr double half = 0.6;     // scales: of those below, an enlarged image has up to 0.8 …
    constexpr double of_half =
        1 / 0.9; // … of the smaller one's detail, and no photograph below 1.2
    constexpr double sharp_share = 0.4; // else it may be one
    // A photograph out of focus shows little detail, too. Its half is no sharper than any half, and
    // shows no more than the photograph shrunk to that size: at most 1.14 times as much, and with
    // two exceptions of 66 at most 1.55 times if multiplied by how much sharper the half is. 210 of
    // 219 enlarged ones are above one of the two.
    constexpr double soft = 0.17, soft_half = 0.036; // details: eighth powers of 0.8 and 0.66
    constexpr double nearly_half = 0.05, more_than_shrunk = 1.15, more_and_sharper = 1.55;
    if (scale > 1) return -compare_details(second, first, 1 / scale);
    const double share = first.share_of_detail();
    const double ratio =
        share / (second.share_of_detail() * scale * scale); // the first has the more pixels
    if (scale * equal > 1) {
        if (ratio > blurred) return -1;
        if (ratio * blurred < 1) return 1;
        return first.is_coarser_than(second) ? 1 : second.is_coarser_than(first) ? -1 : 0;
    }
    if (ratio > visible) return share >= sharp_share ? -1 : 0;
    const double shown = second.finest / first.coarser; // … to the first one, shrunk
    const bool may_be_soft =
        std::abs(scale - 0.5) < nearly_half && first.coarser > 0
            ? shown < more_than_shrunk && shown * second.finest * first.coarser <
                                              more_and_sharper * second.coarser * first.finest
            : first.detail() > (scale < half ? soft_half : soft) * second.detail();
    return !may_be_soft && ratio * (scale < half ? of_half : of_smaller) < 1 ? 1 : 0;
}

/// Below 0 where the first is better.
int compare(const Contender &one, const Contender &other, Preference preference,
            std::span<const std::string> chosen, double scale) {
    const auto less = [](const auto &a, const auto &b) { return a < b ? -1 : b < a ? 1 : 0; };
    const LibraryImage &first = *one.image, &second = *other.image;
    switch (preference) {
    case Preference::whole:
        return less(one.whole.faults(), other.whole.faults());
    case Preference::color:
        return less(is_toned(first, second), is_toned(second, first));
    case Preference::upright:
        return less(one.whole.is_turned(), other.whole.is_turned());
    case Preference::detail:
        return compare_details(one.quality, other.quality, scale);
    case Preference::metadata:
        return less(std::popcount(second.metadata.value_or(0)),
                    std::popcount(first.metadata.value_or(0)));
    case Preference::oldest:
        return compare_times(first, second);
    case Preference::newest:
        return compare_times(second, first);
    case Preference::pixels:
        return less(pixels_of(second), pixels_of(first));
    case Preference::bytes:
        if (one.has_companions != other.has_companions) return one.has_companions ? -1 : 1;
        return less(second.stamp.size, first.stamp.size);
    case Preference::format:
        return less(rank_of_format(first.path, chosen), rank_of_format(second.path, chosen));
    case Preference::path: // "a (1).jpg" is longer than "a.jpg", wherever it lies
        if (const int names = less(name_of(first.path).size(), name_of(second.path).size());
            names != 0)
            return names;
        return less(first.path.size(), second.path.size());
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

void Wholeness::add(const Judgement &judgement, bool of_first, bool other_is_upright) {
    const Side &side = judgement.side(of_first);
    lacks |= side.lacks;
    bordered |= side.bordered;
    const bool covers = side.beyond <= 0.5;
    covering_pairs += covers;
    overlaid_pairs += covers && side.overlaid;
    turned_pairs += judgement.turned;
    turned_from_upright |= judgement.turned && other_is_upright;
    ++pairs;
}

bool shows_no_less(const ImageQuality &one, const ImageQuality &other, double scale,
                   bool other_is_surrounded) {
    constexpr double larger = 1.25; // else the other one has hardly more pixels to lose
    if (one.lacks_levels_of(other)) return false;
    const int difference = compare_details(one, other, scale);
    if (difference < 0) return true;
    return difference == 0 && !(scale > larger && !other_is_surrounded) &&
           !one.is_coarser_than(other);
}

Choice better_of(const Contender &one, const Contender &other, const Preferences &preferences,
                 std::optional<double> scale) {
    const double by_pixels = std::sqrt(static_cast<double>(pixels_of(*other.image)) /
                                       static_cast<double>(pixels_of(*one.image)));
    for (const Preference preference : preferences.order) {
        const int difference =
            compare(one, other, preference, preferences.formats, scale.value_or(by_pixels));
        if (difference == 0) continue;
        Choice choice{.first = difference < 0, .by = preference};
        if (preference != Preference::oldest) return choice;
        choice.by_date_of_file = !capture_of(*one.image) || !capture_of(*other.image);
        const auto &[chosen, left] = choice.first ? std::tie(one, other) : std::tie(other, one);
        choice.against_date =
            choice.by_date_of_file && chosen.quality.lacks_levels_of(left.quality);
        choice.first ^= choice.against_date;
        return choice;
    }
    return {.first = one.image->path < other.image->path, .by = Preference::path};
}

std::vector<Preference> usual_preferences() {
    return {Preference::whole,    Preference::color,  Preference::upright, Preference::detail,
            Preference::metadata, Preference::oldest, Preference::bytes,   Preference::path};
}

} // namespace bowhist
