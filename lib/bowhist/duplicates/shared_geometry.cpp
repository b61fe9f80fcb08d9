#include <bowhist/duplicates/shared_geometry.hpp>

#include <bowhist/core/logarithm.hpp>
#include <bowhist/duplicates/pixels/maps.hpp>

#include <algorithm>
#include <numeric>

namespace bowhist {
namespace {

constexpr double apart = 5; ///< pixels between places

// Same thing
constexpr std::size_t least_places = 12;
constexpr double most_log_chance = -25;

constexpr int most_maps = 3;
constexpr double least_of_a_map = -5; ///< log_chance

/// As the library would hold the mirror image's words (library/places.hpp).
Library::Words mirrored_words(const Library::Words &words) {
    Library::Words mirrored;
    if (words.mirrored.empty()) return mirrored;
    std::vector<std::size_t> order(words.words.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return words.mirrored[i]; });
    for (const std::size_t i : order) {
        Place place = words.places[i];
        place.x = static_cast<std::uint16_t>(4095 - place.x);
        place.angle = static_cast<std::uint8_t>(128 - place.angle);
        mirrored.words.push_back(words.mirrored[i]);
        mirrored.places.push_back(place);
    }
    return mirrored;
}

/// log₁₀ of the number of agreements of that size that chance makes of unrelated pairs: each lies
/// within 4 pixels of where it should with the chance of that circle's share of a described image.
double log_chance_of(std::size_t agree, std::size_t proposed) {
    constexpr double log_10_of_2 = 0.30102999566398120;
    constexpr double log_2_of_chance = -11.7; // 50 of 512 x 320 pixels
    constexpr std::size_t free = 2;           // pairs that a map fits in any case
    if (agree <= free || proposed < agree) return 0;
    double log = logarithm_of_2(static_cast<double>(proposed)) * 2; // maps that are tried
    for (std::size_t i = 0; i < agree - free; ++i)
        log += logarithm_of_2(static_cast<double>(proposed - i) / static_cast<double>(i + 1)) +
               log_2_of_chance;
    return std::min(log * log_10_of_2, 0.0);
}

bool are_enough(std::size_t places, double log_chance) {
    return places >= least_places && log_chance <= most_log_chance;
}

void remove(std::vector<PlacedWord> &words, const std::vector<WordPair> &pairs,
            std::uint32_t WordPair::*side) {
    std::vector<bool> gone(words.size());
    for (const WordPair &pair : pairs) gone[pair.*side] = true;
    std::size_t i = 0;
    std::erase_if(words, [&](const PlacedWord &) { return gone[i++]; });
}

/// Adds what agrees with maps beside the first.
void add_further_maps(std::vector<PlacedWord> from, std::vector<PlacedWord> to,
                      AffineAgreement found, SharedGeometry &shared) {
    for (int map = 1; map < most_maps && !shared.maps_agree(); ++map) {
        remove(from, found.pairs, &WordPair::first);
        remove(to, found.pairs, &WordPair::second);
        found = find_agreement(from, to);
        const double log_chance = log_chance_of(found.size(), found.proposed);
        if (log_chance > least_of_a_map) return;
        shared.all_places += places(found, from, to, apart);
        shared.all_log_chance += log_chance;
    }
}

} // namespace

bool SharedGeometry::one_map_agrees() const {
    return are_enough(places, log_chance);
}

bool SharedGeometry::maps_agree() const {
    return are_enough(all_places, all_log_chance);
}

TwoSidedImage::TwoSidedImage(const Library::Words &words, int image_width, int height,
                             const Recipe &recipe)
    : width(image_width), plain(words, image_width, height, recipe),
      mirrored(mirrored_words(words), image_width, height, recipe) {}

SharedGeometry shared_geometry(const TwoSidedImage &first, const TwoSidedImage &second,
                               bool mirrored) {
    const PlacedImage &from = mirrored ? first.mirrored : first.plain;
    const AffineAgreement found = find_agreement(from.words(), second.plain.words());
    SharedGeometry shared;
    if (found.size() == 0) return shared;
    shared.agree = found.size();
    shared.places = places(found, from.words(), second.plain.words(), apart);
    shared.residual = found.residual;
    shared.log_chance = log_chance_of(found.size(), found.proposed);
    shared.map = between(found.map, {from.scale(), from.scale()},
                         {second.plain.scale(), second.plain.scale()});
    if (mirrored) shared.map = composed(shared.map, mirroring(first.width));
    shared.all_places = shared.places;
    shared.all_log_chance = shared.log_chance;
    if (shared.log_chance <= least_of_a_map)
        add_further_maps(from.words(), second.plain.words(), found, shared);
    return shared;
}

} // namespace bowhist
