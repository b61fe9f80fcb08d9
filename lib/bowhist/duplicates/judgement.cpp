#include <bowhist/duplicates/judgement.hpp>

#include <bowhist/duplicates/pixels/maps.hpp>

#include <algorithm>
#include <cmath>

namespace bowhist {
namespace {

// Same thing by several maps: drawings of straight edges have as many by chance
constexpr double most_plain = 0.45; ///< share of about one level

// Same picture, by all blocks
constexpr std::size_t least_blocks = 12;
constexpr std::size_t least_shifts = 6; ///< blocks whose shift is known
constexpr double least_overlap = 0.5;

// Same picture with something laid over it
constexpr std::size_t overlaid_places = 24, witnessed_places = 12;
constexpr double overlaid_overlap = 0.8;
constexpr double most_alone = 0.12; ///< blocks that each image has alone, to those that agree

/// The limits that Match sets, measured in docs/duplicates.md.
struct Limits {
    double most_shift;        ///< thumbnail pixels, of three quarters of the blocks
    double least_correlation; ///< of three quarters of the blocks
    double least_agreeing;    ///< share of an image's blocks, where something is laid over it
    double least_common;      ///< share of the blocks of both, where something is laid over one
};

// Kinds
constexpr double visible_share = 0.03;   ///< of an image beyond the other
constexpr double border_flatness = 0.45; ///< share of one level there
constexpr double border_step = 16;       ///< levels
constexpr double plain_flatness = 0.9;
constexpr double filled_flatness = 0.98;
constexpr double most_crossed = 0.01;   ///< of the edge of plain ground: things reach across it
constexpr double visible_seam = 1.75;   ///< what lies beside a picture
constexpr double least_seam = 1.5;      ///< the most that crops reach, of 60
constexpr double visible_breaks = 0.38; ///< the same by Beyond::breaks
constexpr double least_breaks = 0.3;
constexpr double continuous_side = 1.2; ///< of an edge whose other sides have a seam
constexpr double most_of_grid = 0.5;    ///< share beyond a picture that is cut to a cell
constexpr double seam_of_side = 2.4;    ///< of an edge that has none on the whole
constexpr double calm_change = 4;       ///< levels: an edge of less proves nothing
constexpr double visible_fading = 2.5;  ///< a picture that fades into what lies beside it
constexpr double visible_turn = 0.0087; ///< sine of half a degree
constexpr double visible_scale = 0.01;
constexpr double visible_stretch = 1.02;
constexpr double visible_tone = 6;       ///< levels: encoding changes up to 4
constexpr double visible_chroma = 5.5;   ///< levels: encoding changes up to 5
constexpr double most_equal_chroma = 25; ///< levels, of any block
constexpr double other_chroma = 10;      ///< levels: darker and brighter copies have up to 9, …
constexpr double chroma_of_tone = 2;     ///< … and a larger change of tone
constexpr std::size_t differing_blocks = 3;

// Who has something laid over it
constexpr std::size_t least_own = 12;           ///< pixels of edges
constexpr double flatter_by = 0.15;             ///< share of one level, of what differs
constexpr double most_plain_with_strokes = 0.5; ///< share of about one level: pages have letters
constexpr double most_without_clipping = 8;     ///< levels of tone: less hides no edge of 30 levels

Limits limits_of(Match match) {
    switch (match) {
    case Match::strict:
        return {0.12, 0.9, 0.7, 0.5};
    case Match::normal:
        return {0.25, 0.8, 0.55, 0.4};
    case Match::loose:
        return {0.4, 0.6, 0.45, 0.3};
    }
    return {};
}

double overlap_of(const PixelComparison &pixels) {
    return 1 - std::min(pixels.first.share, pixels.second.share);
}

bool is_recolored(const PixelComparison &pixels) {
    return pixels.tone > visible_tone || pixels.chroma > visible_chroma;
}

/// The kinds of things that lie beyond the part that both show.
enum class Surroundings { none, plain, border, picture, pictures, unclear };

/// A crop's edge continues into the rest of the picture. A panorama shows the one picture less and
/// less there. A frame and other pictures begin with a
/// seam; a frame has one level mostly, or no room for a picture.
/// @param other  what the other image shows beyond this one
Surroundings surroundings_of(const Beyond &beyond, const Beyond &other) {
    if (beyond.share <= visible_share) return Surroundings::none;
    if (beyond.seam >= visible_seam || beyond.breaks >= visible_breaks) {
        if (beyond.least_seam < continuous_side) return Surroundings::unclear;
        return beyond.thick > 0 || beyond.flat < border_flatness ? Surroundings::pictures
                                                                 : Surroundings::border;
    }
    if (beyond.flat >= border_flatness && beyond.step >= border_step && beyond.thick == 0)
        return Surroundings::border;
    // an edit that cuts fills with one level; else both are cut from more, or are two photographs
    if (beyond.flat >= (other.share > visible_share ? filled_flatness : plain_flatness))
        return beyond.crossed > most_crossed ? Surroundings::picture : Surroundings::plain;
    if (beyond.faded >= visible_fading || beyond.seam >= least_seam ||
        beyond.breaks >= least_breaks || beyond.most_seam >= seam_of_side)
        return Surroundings::unclear;
    if (beyond.change < calm_change && beyond.thick > 0) return Surroundings::unclear;
    return Surroundings::picture;
}

/// Whether an image is a collage with a cell that cuts the other one. The other one's edge lies
/// within the next picture, so there is no seam, but that picture seems to be laid over the other.
bool cuts_to_cell(const PixelComparison &pixels, bool of_first) {
    const Beyond &beyond = of_first ? pixels.first : pixels.second;
    const Beyond &other = of_first ? pixels.second : pixels.first;
    const OwnParts &own = pixels.own;
    const auto [begun, other_begun] = of_first ? std::pair(own.lower_unhidden, own.upper_unhidden)
                                               : std::pair(own.upper_unhidden, own.lower_unhidden);
    return beyond.share >= most_of_grid && beyond.thick > 0 && other.share > visible_share &&
           pixels.agreement.differing >= differing_blocks && begun >= least_own &&
           begun >= 4 * other_begun;
}

/// Which image has something laid over it: it begins edges where the other continues.
enum class Laid { over_none, over_first, over_second, clipped_first, clipped_second, unclear };

/// Strokes decide if nothing but strokes differs. A test on 60 photographs with 782 letters over
/// them, which set no limit here, takes 3 for letters of the bare photograph. All edges together
/// err on 8 of them, and leave 97 in doubt.
Laid laid_by_strokes(const OwnParts &own) {
    const auto [less, more] = std::minmax(own.lower_narrow, own.upper_narrow);
    if (own.thick_pixels > 0 || more < least_own || more < 2 * less) return Laid::unclear;
    return own.lower_narrow > own.upper_narrow ? Laid::over_first : Laid::over_second;
}

/// An image whose tones give the other one shows all of it. The other one clipped what it begins
/// alone.
bool is_clipped(const OwnParts &own) {
    const bool first_begins = own.lower > own.upper;
    return std::min(own.lower, own.upper) < least_own &&
           (first_begins ? own.lower_untoned : own.upper_untoned) < least_own;
}

/// Things laid over an image have few levels, so an image whose levels vary more is not easily
/// taken for the one that is covered. Clipped lights begin edges in the image that is not clipped,
/// so if tones differ, only what the other cannot hide proves something.
Laid laid_over_which(const PixelComparison &pixels) {
    const OwnParts &own = pixels.own;
    const auto [less, more] = std::minmax(own.lower, own.upper);
    if (more < least_own) return Laid::over_none;
    const bool may_clip = pixels.tone > most_without_clipping;
    if (!may_clip && pixels.plain < most_plain_with_strokes)
        if (const Laid laid = laid_by_strokes(own); laid != Laid::unclear) return laid;
    const bool first_begins = own.lower > own.upper;
    const bool other_is_flatter =
        first_begins ? own.flatter < -flatter_by : own.flatter > flatter_by;
    const bool is_flatter = first_begins ? own.flatter > flatter_by : own.flatter < -flatter_by;
    if (may_clip || pixels.chroma > visible_chroma) {
        if (may_clip && is_clipped(own))
            return first_begins ? Laid::clipped_second : Laid::clipped_first;
        if (pixels.agreement.differing < differing_blocks) return Laid::unclear;
        // unhidden edges are those that the other image does not hide
        const std::size_t proven = first_begins ? own.lower_unhidden : own.upper_unhidden;
        if (other_is_flatter || (proven < least_own && !is_flatter)) return Laid::unclear;
    }
    const std::size_t factor = other_is_flatter ? 4 : is_flatter ? 1 : 2;
    if (more < factor * less) return Laid::unclear;
    return first_begins ? Laid::over_first : Laid::over_second;
}

/// A map's turn and scales: of M = R·S the sum and the difference of what turns.
struct Shape {
    double sine = 0;
    double cosine = 1;
    double most = 1; ///< scale of the direction that grows most
    double least = 1;
    bool mirrored = false;
};

Shape shape_of(const AffineMap &map) {
    Shape shape;
    shape.mirrored = map.determinant() < 0;
    const double sign = shape.mirrored ? -1 : 1; // as if columns were mirrored first
    const double a11 = sign * map.a11, a21 = sign * map.a21;
    const double e = (a11 + map.a22) / 2, f = (a11 - map.a22) / 2;
    const double g = (a21 + map.a12) / 2, h = (a21 - map.a12) / 2;
    const double q = std::sqrt(e * e + h * h), r = std::sqrt(f * f + g * g);
    shape.most = q + r;
    shape.least = std::abs(q - r);
    if (q > 0) {
        shape.sine = h / q;
        shape.cosine = e / q;
    }
    return shape;
}

/// The picture agrees, not merely what lies over both: else each shows things where the other is
/// plain, or most of what either shows differs.
bool is_overlaid_picture(const OverlayAgreement &agreement, const Limits &limits) {
    const double agreeing = agreement.agreeing * static_cast<double>(agreement.textured);
    return std::max(agreement.lower_agreeing, agreement.upper_agreeing) >= limits.least_agreeing &&
           agreement.agreeing >= limits.least_common &&
           static_cast<double>(agreement.alone) <= most_alone * agreeing;
}

bool is_copy(const CheckedPair &pair, Match match, std::size_t least_places) {
    const Limits limits = limits_of(match);
    const OverlayAgreement &agreement = pair.pixels.agreement;
    const double overlap = overlap_of(pair.pixels);
    if (agreement.textured < least_blocks || agreement.shifts < least_shifts ||
        agreement.shift_quartile > limits.most_shift || pair.pixels.have_own_parts())
        return false;
    if (agreement.lower_quartile >= limits.least_correlation) return overlap >= least_overlap;
    return pair.geometry.places >= least_places && overlap >= overlaid_overlap &&
           is_overlaid_picture(agreement, limits);
}

/// Fills what each image is beside the other.
/// @return whether the pixels leave a doubt
bool settle_sides(const PixelComparison &pixels, Judgement &judgement) {
    const auto around = [&pixels](bool of_first) {
        if (cuts_to_cell(pixels, of_first)) return Surroundings::pictures;
        return of_first ? surroundings_of(pixels.first, pixels.second)
                        : surroundings_of(pixels.second, pixels.first);
    };
    const Surroundings around_first = around(true), around_second = around(false);
    const Laid laid = laid_over_which(pixels);
    judgement.first.beyond = pixels.first.share;
    judgement.second.beyond = pixels.second.share;
    judgement.first.lacks = around_second == Surroundings::picture;
    judgement.second.lacks = around_first == Surroundings::picture;
    judgement.first.bordered = around_first == Surroundings::border;
    judgement.second.bordered = around_second == Surroundings::border;
    judgement.first.surrounded = around_first == Surroundings::plain || judgement.first.bordered;
    judgement.second.surrounded = around_second == Surroundings::plain || judgement.second.bordered;
    judgement.first.holds = around_first == Surroundings::pictures;
    judgement.second.holds = around_second == Surroundings::pictures;
    judgement.first.overlaid = laid == Laid::over_first;
    judgement.second.overlaid = laid == Laid::over_second;
    judgement.first.clipped = laid == Laid::clipped_first;
    judgement.second.clipped = laid == Laid::clipped_second;
    judgement.overlaid = laid == Laid::over_first || laid == Laid::over_second ||
                         (laid == Laid::unclear && pixels.agreement.differing >= differing_blocks);
    return laid == Laid::unclear || around_first == Surroundings::unclear ||
           around_second == Surroundings::unclear;
}

/// Each shows something of its own, by edges or by how its blocks lie.
bool are_different(const CheckedPair &pair, Match match) {
    const OverlayAgreement &agreement = pair.pixels.agreement;
    return pair.geometry.one_map_agrees() &&
           (pair.pixels.have_own_parts() ||
            (agreement.shifts >= least_shifts &&
             agreement.shift_quartile > limits_of(match).most_shift));
}

} // namespace

Judgement judge(const CheckedPair &pair, Match match, Witness witness) {
    const PixelComparison &pixels = pair.pixels;
    Judgement judgement;
    judgement.scene =
        pair.geometry.one_map_agrees() || (pair.geometry.maps_agree() && pixels.plain < most_plain);
    judgement.copy =
        pair.geometry.one_map_agrees() &&
        is_copy(pair, match, witness == Witness::none ? overlaid_places : witnessed_places);
    judgement.overlap = overlap_of(pixels);
    judgement.score = std::clamp(pixels.agreement.median, 0.0, 1.0);
    const bool doubtful = settle_sides(pixels, judgement);
    judgement.first.holds &= judgement.copy;
    judgement.second.holds &= judgement.copy;
    if (judgement.first.holds || judgement.second.holds) judgement.copy = false;
    judgement.different = !judgement.copy && are_different(pair, match);
    const Shape shape = shape_of(pixels.map);
    judgement.scale = std::sqrt(shape.most * shape.least);
    judgement.resampled = std::abs(judgement.scale - 1) > visible_scale ||
                          shape.most > visible_stretch * shape.least ||
                          std::min(std::abs(shape.sine), std::abs(shape.cosine)) > visible_turn;
    judgement.other_colors =
        pixels.chroma > other_chroma && pixels.chroma > chroma_of_tone * pixels.tone;
    judgement.turned = shape.mirrored || std::abs(shape.sine) > visible_turn || shape.cosine < 0;
    judgement.first.shows_all = !doubtful && !judgement.first.lacks && !judgement.first.overlaid &&
                                !judgement.first.clipped;
    judgement.second.shows_all = !doubtful && !judgement.second.lacks &&
                                 !judgement.second.overlaid && !judgement.second.clipped;
    judgement.equal = !doubtful && !judgement.turned && !judgement.overlaid &&
                      !is_recolored(pixels) && pixels.most_chroma <= most_equal_chroma &&
                      std::abs(judgement.scale - 1) <= visible_scale &&
                      std::max(pixels.first.share, pixels.second.share) <= visible_share;
    return judgement;
}

Kinds kinds_of(const CheckedPair &pair, const Judgement &judgement, bool of_first) {
    const PixelComparison &pixels = pair.pixels;
    const Shape shape = shape_of(pixels.map);
    Kinds kinds;
    kinds.resized = std::abs(judgement.scale - 1) > visible_scale;
    kinds.mirrored = shape.mirrored;
    kinds.turned = std::abs(shape.sine) > visible_turn || shape.cosine < 0;
    kinds.stretched = shape.most > visible_stretch * shape.least;
    kinds.recolored = is_recolored(pixels);
    const Beyond &with = of_first ? pixels.second : pixels.first;
    kinds.cropped = with.share > visible_share && !judgement.side(!of_first).bordered;
    kinds.bordered = judgement.side(of_first).bordered;
    kinds.overlaid = judgement.overlaid;
    return kinds;
}

std::string Kinds::text() const {
    std::string text;
    const auto add = [&text](bool holds, const char *name) {
        if (!holds) return;
        if (!text.empty()) text += '+';
        text += name;
    };
    add(scene, "scene");
    add(bytes, "bytes");
    add(pixels, "pixels");
    add(resized, "resized");
    add(cropped, "cropped");
    add(turned, "turned");
    add(mirrored, "mirrored");
    add(stretched, "stretched");
    add(recolored, "recolored");
    add(bordered, "bordered");
    add(overlaid, "overlaid");
    add(frame, "frame");
    add(collage, "collage");
    add(ambiguous, "ambiguous");
    add(unproven, "unproven");
    return text.empty() ? "reencoded" : text;
}

} // namespace bowhist
