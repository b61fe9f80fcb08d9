#include <bowhist/duplicates/hidden_changes.hpp>

#include <bowhist/duplicates/full_images.hpp>
#include <bowhist/duplicates/numbered_images.hpp>
#include <bowhist/duplicates/pages.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace bowhist {
namespace {

/// An image that may go.
struct Mover {
    std::uint32_t image = 0;
    HiddenCheck check = {};
    bool is_new = false;    ///< and to be kept
    bool is_unread = false; ///< one of the two files
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

HiddenCheck compared(const SizedThumbnail &first, const SizedThumbnail &second,
                     const AffineMap &map) {
    const PixelComparison pixels = compare_pixels(first, second, map, Look::local);
    return {.change = pixels.local,
            .first_own = pixels.own.lower,
            .second_own = pixels.own.upper,
            .of_both = std::size_t{pixels.own.of_both()},
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

/// @return whether the image stays now
bool settle(const Mover &mover, std::uint32_t with, Agreements &agreements) {
    const bool is_first = mover.image < with;
    Agreement &agreement = agreements.of(mover.image, with);
    agreement.looked_closely = true;
    if (mover.is_unread) { // what thumbnails do not show may differ
        agreement.hides = true;
        return true;
    }
    if (!mover.check.change.is_clear()) return false;
    if (agreement.judgement.side(is_first).overlaid && mover.check.is_laid_over(is_first))
        return false;
    agreement.hides = true;
    if (mover.check.of_both == 0) return true;
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
