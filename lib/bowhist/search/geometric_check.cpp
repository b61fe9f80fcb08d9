#include <bowhist/search/geometric_check.hpp>

#include <algorithm>
#include <iterator>

namespace bowhist {
namespace {

constexpr double steps = 4096; ///< of a place, along each side

/// The longer side of the image that was described.
double described_side(double original, const Recipe &recipe) {
    const double side = recipe.largest_side();
    if (side <= 0) return original;
    return recipe.enlarge ? side : std::min(side, original);
}

/// A map between described images as one between their originals: x here = (x there + ½)/scale - ½.
AffineMap between_originals(const AffineMap &map, double from, double to) {
    const double middle = 0.5 / from - 0.5; // of the first pixel, here
    const double ratio = to / from;
    const auto shift = [&](double a, double b, double t) {
        return (a * middle + b * middle + t + 0.5) * to - 0.5;
    };
    return {.a11 = map.a11 * ratio,
            .a12 = map.a12 * ratio,
            .tx = shift(map.a11, map.a12, map.tx),
            .a21 = map.a21 * ratio,
            .a22 = map.a22 * ratio,
            .ty = shift(map.a21, map.a22, map.ty)};
}

} // namespace

PlacedImage::PlacedImage(const Library::Words &words, int width, int height, const Recipe &recipe) {
    const double longer = std::max(width, height);
    scale_ = longer / described_side(longer, recipe);
    const auto at = [this](std::uint16_t step, int side) {
        return static_cast<float>((step + 0.5) * (side / scale_) / steps - 0.5);
    };
    for (std::size_t i = 0; i < words.places.size(); ++i) {
        const Place &place = words.places[i];
        words_.push_back({.word = words.words[i],
                          .x = at(place.x, width),
                          .y = at(place.y, height),
                          .scale = place.scale,
                          .angle = place.angle});
    }
}

FoundPlace find_place(const PlacedImage &first, const PlacedImage &second) {
    const AffineAgreement agreement = find_agreement(first.words(), second.words());
    if (agreement.size() == 0) return {};
    FoundPlace place{agreement.size(),
                     between_originals(agreement.map, first.scale(), second.scale())};
    const auto original = [](float at, const PlacedImage &image) {
        return (at + 0.5) * image.scale() - 0.5;
    };
    for (const WordPair &pair : agreement.pairs) {
        const PlacedWord &from = first.words()[pair.first];
        const PlacedWord &to = second.words()[pair.second];
        place.pairs.push_back({original(from.x, first), original(from.y, first),
                               original(to.x, second), original(to.y, second)});
    }
    return place;
}

void put_agreeing_first(std::vector<FoundImage> &found) {
    const auto agreeing = [](const FoundImage &image) {
        return image.place && image.place->agree >= least_agreeing ? image.place->agree : 0;
    };
    std::ranges::stable_sort(found, std::ranges::greater{}, agreeing);
}

} // namespace bowhist
