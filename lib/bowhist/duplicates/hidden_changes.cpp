#include <bowhist/duplicates/hidden_changes.hpp>

#include <bowhist/duplicates/full_images.hpp>
#include <bowhist/duplicates/numbered_images.hpp>
#include <bowhist/duplicates/pages.hpp>
#include <bowhist/duplicates/pixels/level_counts.hpp>
#include <bowhist/duplicates/pixels/maps.hpp>
#include <bowhist/pictures/area_average.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

namespace bowhist {
namespace {

/// An image that may go.
struct Mover {
    std::uint32_t image = 0;
    HiddenCheck check = {};
    bool is_new = false;    ///< and to be kept
    bool is_unread = false; ///< one of the two files
    bool is_lost = false;   ///< a picture laid over it that none shows that stays
};

/// Images that may go for one that stays, whose file is read once at most.
struct Movers {
    std::uint32_t with = 0;
    std::vector<Mover> images = {};
};

std::vector<Movers> movers_of(std::span<const Agreements::Pair> moves,
                              const Agreements &agreements) {
    std::map<std::uint32_t, std::vector<Mover>> of_kept;
    for (const auto &[image, with] : moves) {
        const Agreement &agreement = agreements.of(image, with);
        if (agreement.equal_pixels || agreement.looked_closely ||
            letters_decide(agreement.pair.pixels))
            continue;
        of_kept[with].push_back({.image = image});
    }
    std::vector<Movers> movers;
    for (auto &[with, images] : of_kept) movers.push_back({with, std::move(images)});
    return movers;
}

SizedThumbnail halved(const SizedThumbnail &view) {
    const Image &luma = view.thumbnail.luma;
    Raster half = shrink({luma.width, luma.height, Color::grey, luma.pixels},
                         {std::max(2, luma.width / 2), std::max(2, luma.height / 2)});
    return {.thumbnail = {.luma = {half.width, half.height, std::move(half.samples)}, .color = {}},
            .width = view.width,
            .height = view.height};
}

/// Whether one of two views of the same size is blurred, beside the other one.
bool is_one_blurred(const SizedThumbnail &first, const SizedThumbnail &second) {
    constexpr double blurred = 2.5;
    const Image &one = first.thumbnail.luma, &other = second.thumbnail.luma;
    if (std::abs(one.width - other.width) > 1 || std::abs(one.height - other.height) > 1)
        return false;
    const PartOfImage whole{0, 0, one.width, one.height};
    const auto [less, more] = std::minmax(
        {quality_of(one, whole).share_of_detail(), quality_of(other, whole).share_of_detail()});
    return blurred * less < more;
}

/// Beside a blurred image, half of the size shows all that both may show.
HiddenCheck compared(const SizedThumbnail &first, const SizedThumbnail &second,
                     const AffineMap &map) {
    PixelComparison pixels = compare_pixels(first, second, map, Look::local);
    if (pixels.local.is_clear() && is_one_blurred(first, second))
        pixels = compare_pixels(halved(first), halved(second), map, Look::local);
    return {.change = pixels.local,
            .first_own = pixels.own.lower,
            .second_own = pixels.own.upper,
            .of_both = std::size_t{pixels.own.of_both()},
            .filled = pixels.filled,
            .compared = pixels.compared};
}

void look_at(const NumberedImages &images, const Agreements &agreements, const KeptPairs &kept,
             Movers &movers) {
    std::optional<SizedThumbnail> stays;
    const LibraryImage &other = images[movers.with];
    for (Mover &mover : movers.images) {
        const CheckedPair &pair = agreements.of(mover.image, movers.with).pair;
        const LibraryImage &one = images[mover.image];
        const auto before = kept.find(pair.pair);
        const auto is_lasting = [&] {
            return before && before->pixels && is_unchanged(one) && is_unchanged(other);
        };
        if (before && before->hidden && is_lasting()) {
            mover.check = *before->hidden;
            continue;
        }
        if (!stays) stays = close_view(other);
        const SizedThumbnail goes = close_view(one);
        mover.is_unread = goes.thumbnail.luma.width < 2 || stays->thumbnail.luma.width < 2;
        if (mover.is_unread) continue;
        const bool is_first = mover.image < movers.with;
        mover.check = compared(is_first ? goes : *stays, is_first ? *stays : goes, pair.pixels.map);
        mover.is_new = is_lasting();
    }
}

/// Whether what differs is laid over the image alone, as far as a close look says.
bool goes_as_overlaid(const Mover &mover, std::uint32_t with, const Agreements &agreements) {
    const bool is_first = mover.image < with;
    return mover.check.change.is_clear_beyond(!is_first) &&
           agreements.of(mover.image, with).judgement.side(is_first).overlaid &&
           mover.check.is_laid_over(is_first);
}

/// A picture that may be laid over another one, cut out of it.
struct Inset {
    Mover *mover = nullptr;
    SizedThumbnail picture = {};
};

/// Levels of 32 x 32 parts less their mean, so that their squares sum up to 1; empty for a picture
/// that is too small or plain.
std::vector<double> look_of(const Image &image) {
    constexpr int side = 32;
    if (std::min(image.width, image.height) < side) return {};
    const Raster small =
        shrink({image.width, image.height, Color::grey, image.pixels}, {side, side});
    std::vector<double> look(small.samples.begin(), small.samples.end());
    const double mean = std::accumulate(look.begin(), look.end(), 0.0) / double(look.size());
    double squares = 0;
    for (double &level : look) {
        level -= mean;
        squares += level * level;
    }
    constexpr double plain = 4; // levels
    if (squares < plain * plain * double(look.size())) return {};
    for (double &level : look) level /= std::sqrt(squares);
    return look;
}

double likeness(const std::vector<double> &one, const std::vector<double> &other) {
    return std::inner_product(one.begin(), one.end(), other.begin(), 0.0);
}

/// A part of a view, as an image of its own.
/// @param part  in pixels of the original
SizedThumbnail cut(const SizedThumbnail &view, const PartOfImage &part) {
    const Image &luma = view.thumbnail.luma;
    const double scale = double(luma.width) / view.width;
    const auto clipped = [&](int at, int length) {
        return std::clamp(static_cast<int>(at * scale + 0.5), 0, length);
    };
    const int left = clipped(part.left, luma.width), right = clipped(part.right, luma.width);
    const int top = clipped(part.top, luma.height), bottom = clipped(part.bottom, luma.height);
    SizedThumbnail result{
        .thumbnail = {}, .width = part.right - part.left, .height = part.bottom - part.top};
    if (right <= left || bottom <= top) return result;
    Image &picture = result.thumbnail.luma;
    picture = {right - left, bottom - top, {}};
    for (int y = top; y < bottom; ++y) {
        const auto row = luma.pixels.begin() + std::ptrdiff_t{y} * luma.width;
        picture.pixels.insert(picture.pixels.end(), row + left, row + right);
    }
    return result;
}

/// Whether something laid over a picture is a picture as well: no text, banner or drawing.
bool is_picture(const Image &image) {
    constexpr double most_flat = 0.7;
    LevelCounts levels;
    for (const std::uint8_t level : image.pixels) levels.add(level);
    return levels.all() > 0 && levels.flatness() < most_flat;
}

/// Whether an image shows a whole inset, in no fewer pixels.
bool shows(const LibraryImage &image, const SizedThumbnail &inset) {
    constexpr double least_correlation = 0.8; // as of copies, of three quarters of the blocks
    constexpr std::size_t least_blocks = 12;
    const SizedThumbnail view = close_view(image);
    if (view.thumbnail.luma.pixels.empty()) return false;
    const AffineMap map =
        scaling({double(view.width) / inset.width, double(view.height) / inset.height});
    const PixelComparison pixels = compare_pixels(inset, view, map, Look::local);
    return pixels.agreement.textured >= least_blocks &&
           pixels.agreement.lower_quartile >= least_correlation && !pixels.local.is_clear();
}

/// The pictures laid over images that may go.
std::vector<Inset> insets_of(const NumberedImages &images, const Agreements &agreements,
                             std::vector<Movers> &all, Observer &observer) {
    constexpr double least = 0.01; // of the image
    std::vector<Inset> insets;
    std::vector<PartOfImage> parts;
    for (Movers &movers : all)
        for (Mover &mover : movers.images) {
            PartOfImage part = mover.check.filled;
            if (!goes_as_overlaid(mover, movers.with, agreements) || part == PartOfImage{})
                continue;
            const AffineMap &map = agreements.of(mover.image, movers.with).pair.pixels.map;
            if (mover.image > movers.with) part = holding_part(map, part);
            const double share = double(part.right - part.left) * (part.bottom - part.top) /
                                 (double(images[mover.image].width) * images[mover.image].height);
            if (share < least) continue;
            insets.push_back({.mover = &mover});
            parts.push_back(part);
        }
    for_each_number(insets.size(), observer, [&](std::size_t i) {
        insets[i].picture = cut(close_view(images[insets[i].mover->image]), parts[i]);
    });
    std::erase_if(insets,
                  [](const Inset &inset) { return !is_picture(inset.picture.thumbnail.luma); });
    return insets;
}

/// Marks images that may go with a picture that none shows that stays.
void find_lost_insets(const NumberedImages &images, std::span<const Agreements::Pair> moves,
                      std::span<const Inset> insets, Observer &observer) {
    constexpr double alike = 0.9, shape = 1.06;
    std::set<std::uint32_t> movers;
    for (const auto &[image, with] : moves) movers.insert(image);
    std::vector<std::vector<double>> looks;
    for (const Inset &inset : insets) looks.push_back(look_of(inset.picture.thumbnail.luma));
    std::vector<std::vector<std::uint32_t>> found(insets.size());
    for (std::uint32_t i = 0; i < images.size() && !insets.empty(); ++i) {
        if (movers.contains(i)) continue;
        std::optional<std::vector<double>> look;
        for (std::size_t j = 0; j < insets.size(); ++j) {
            const SizedThumbnail &inset = insets[j].picture;
            const double across = double(images[i].width) / inset.width;
            const double down = double(images[i].height) / inset.height;
            const auto [less, more] = std::minmax(across, down);
            if (less * shape < 1 || more > shape * less || looks[j].empty()) continue;
            if (!look) look = look_of(thumbnail_of(images[i], images.thumbnail(i)).thumbnail.luma);
            if (!look->empty() && likeness(*look, looks[j]) >= alike) found[j].push_back(i);
        }
    }
    for_each_number(insets.size(), observer, [&](std::size_t j) {
        insets[j].mover->is_lost = std::ranges::none_of(
            found[j], [&](std::uint32_t image) { return shows(images[image], insets[j].picture); });
    });
}

/// @return whether the image stays now
bool settle(const Mover &mover, std::uint32_t with, Agreements &agreements) {
    const bool is_first = mover.image < with;
    Agreement &agreement = agreements.of(mover.image, with);
    agreement.looked_closely = true;
    if (mover.is_unread) { // what thumbnails do not show may differ
        agreement.hides = true;
        return true;
    }
    if (!mover.check.change.is_clear_beyond(!is_first)) return false;
    if (goes_as_overlaid(mover, with, agreements) && !mover.is_lost) return false;
    agreement.hides = true;
    if (mover.check.of_both == 0 || mover.is_lost) return true;
    agreement.judgement.copy = false;
    agreement.judgement.different = true;
    agreements.add_difference(std::min(mover.image, with), std::max(mover.image, with));
    return true;
}

} // namespace

bool keep_hidden_changes(const NumberedImages &images, std::span<const Agreements::Pair> moves,
                         Agreements &agreements, KeptPairs &kept, Observer &observer) {
    std::vector<Movers> all = movers_of(moves, agreements);
    for_each_number(all.size(), observer,
                    [&](std::size_t i) { look_at(images, agreements, kept, all[i]); });
    const std::vector<Inset> insets = insets_of(images, agreements, all, observer);
    find_lost_insets(images, moves, insets, observer);
    bool some_stay = false;
    for (const Movers &movers : all)
        for (const Mover &mover : movers.images) {
            some_stay |= settle(mover, movers.with, agreements);
            if (!mover.is_new) continue;
            const CandidatePair &pair = agreements.of(mover.image, movers.with).pair.pair;
            KeptCheck check = *kept.find(pair);
            check.hidden = mover.check;
            kept.put(pair, check);
        }
    return some_stay;
}

} // namespace bowhist
