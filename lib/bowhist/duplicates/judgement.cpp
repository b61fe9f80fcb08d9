#include <bowhist/duplicates/judgement.hpp>

#include <bowhist/duplicates/maps.hpp>

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
constexpr std::size_t overlaid_places = 24;
constexpr double overlaid_overlap = 0.8;
constexpr double most_alone = 0.12; ///< blocks that each image has alone, to those that agree

/// What Match sets, measured in docs/duplicates.md.
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
constexpr double visible_turn = 0.0087; ///< sine of half a degree
constexpr double visible_scale = 0.01;
constexpr double visible_stretch = 1.02;
constexpr double visible_tone = 4;   ///< levels
constexpr double visible_chroma = 4; ///< levels
constexpr std::size_t differing_blocks = 3;

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

/// Mostly of one level, with an edge where the picture begins: a sky has no such edge.
bool is_border(const Beyond &beyond) {
    return beyond.share > visible_share && beyond.flat >= border_flatness &&
           beyond.step >= border_step;
}

/// More of the picture: of one level it is no more.
bool shows_more(const Beyond &beyond) {
    return beyond.share > visible_share && !is_border(beyond) && beyond.flat < plain_flatness;
}

/// Where something is laid over an image, that one begins something of its own; where no edge
/// says so, it has more in it.
bool is_first_overlaid(const PixelComparison &pixels) {
    if (pixels.own.lower != pixels.own.upper) return pixels.own.lower > pixels.own.upper;
    return pixels.busier >= 0;
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

bool is_copy(const CheckedPair &pair, Match match) {
    const Limits limits = limits_of(match);
    const OverlayAgreement &agreement = pair.pixels.agreement;
    const double overlap = overlap_of(pair.pixels);
    if (agreement.textured < least_blocks || agreement.shifts < least_shifts ||
        agreement.shift_quartile > limits.most_shift || pair.pixels.own.of_both())
        return false;
    if (agreement.lower_quartile >= limits.least_correlation) return overlap >= least_overlap;
    return pair.geometry.places >= overlaid_places && overlap >= overlaid_overlap &&
           is_overlaid_picture(agreement, limits);
}

} // namespace

Judgement judge(const CheckedPair &pair, Match match) {
    Judgement judgement;
    judgement.scene = pair.geometry.one_map_agrees() ||
                      (pair.geometry.maps_agree() && pair.pixels.plain < most_plain);
    judgement.copy = pair.geometry.one_map_agrees() && is_copy(pair, match);
    const PixelComparison &pixels = pair.pixels;
    judgement.overlap = overlap_of(pixels);
    judgement.score = std::clamp(pixels.agreement.median, 0.0, 1.0);
    judgement.first_lacks = shows_more(pixels.second);
    judgement.second_lacks = shows_more(pixels.first);
    judgement.first_bordered = is_border(pixels.first);
    judgement.second_bordered = is_border(pixels.second);
    judgement.overlaid = pixels.agreement.differing >= differing_blocks;
    judgement.first_is_overlaid = is_first_overlaid(pixels);
    const Shape shape = shape_of(pixels.map);
    judgement.turned = shape.mirrored || std::abs(shape.sine) > visible_turn || shape.cosine < 0;
    return judgement;
}

Kinds kinds_of(const CheckedPair &pair, const Judgement &judgement, bool of_first) {
    const PixelComparison &pixels = pair.pixels;
    const Shape shape = shape_of(pixels.map);
    Kinds kinds;
    const double scale = std::sqrt(shape.most * shape.least);
    kinds.resized = std::abs(scale - 1) > visible_scale;
    kinds.mirrored = shape.mirrored;
    kinds.turned = std::abs(shape.sine) > visible_turn || shape.cosine < 0;
    kinds.stretched = shape.most > visible_stretch * shape.least;
    kinds.recolored = pixels.tone > visible_tone || pixels.chroma > visible_chroma;
    const Beyond &with = of_first ? pixels.second : pixels.first;
    kinds.cropped = with.share > visible_share;
    kinds.bordered = of_first ? judgement.first_bordered : judgement.second_bordered;
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
