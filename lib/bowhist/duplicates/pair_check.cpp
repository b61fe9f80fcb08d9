#include <bowhist/duplicates/pair_check.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/duplicates/numbered_images.hpp>
#include <bowhist/library/library.hpp>
#include <bowhist/pictures/decode_raster.hpp>
#include <bowhist/pictures/image_views.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>

namespace bowhist {
namespace {

constexpr std::size_t pairs_at_once = 8192;
constexpr std::size_t comparisons_at_once = 512;
constexpr std::size_t least_places = 8;

/// A value of each image of some pairs. One thread reads them; all threads use them.
template <typename Value>
class OfImages {
  public:
    template <typename Pairs, typename Read>
    OfImages(const Pairs &pairs, const Read &read) {
        for (const CandidatePair &pair : pairs)
            for (const std::uint32_t image : {pair.first, pair.second})
                if (!values_.contains(image)) values_.emplace(image, read(image));
    }
    const Value &operator[](std::uint32_t image) const { return values_.at(image); }
    std::map<std::uint32_t, Value> &all() { return values_; }

  private:
    std::map<std::uint32_t, Value> values_;
};

/// Keeps the side of each pair that has more places, or the plain one of equal sides.
void keep_better_sides(std::vector<CheckedPair> &pairs) {
    std::vector<CheckedPair> kept;
    for (CheckedPair &pair : pairs) {
        const bool same = !kept.empty() && kept.back().pair.first == pair.pair.first &&
                          kept.back().pair.second == pair.pair.second;
        if (!same)
            kept.push_back(std::move(pair));
        else if (pair.geometry.all_places > kept.back().geometry.all_places)
            kept.back() = std::move(pair);
    }
    pairs = std::move(kept);
}

/// The pairs whose check is not kept; only the first of those that look the same.
std::vector<CandidatePair> unchecked(std::span<const CandidatePair> pairs, const KeptPairs &kept) {
    std::set<CandidatePair> looks;
    std::vector<CandidatePair> some;
    std::ranges::copy_if(pairs, std::back_inserter(some), [&](const CandidatePair &pair) {
        return !kept.find(pair) && looks.insert(kept.look_of(pair)).second;
    });
    return some;
}

std::vector<CheckedPair> pairs_in_place(const NumberedImages &images, const Recipe &recipe,
                                        const std::vector<CandidatePair> &candidates,
                                        KeptPairs &kept, Observer &observer) {
    std::vector<CheckedPair> found;
    for (std::size_t first = 0; first < candidates.size(); first += pairs_at_once) {
        const std::span<const CandidatePair> all(
            candidates.data() + first, std::min(pairs_at_once, candidates.size() - first));
        const std::vector<CandidatePair> some = unchecked(all, kept);
        const OfImages<TwoSidedImage> described(some, [&](std::uint32_t image) {
            const LibraryImage &one = images[image];
            return TwoSidedImage(images.words(image), one.width, one.height, recipe);
        });
        std::vector<SharedGeometry> geometry(some.size());
        for_each_number(some.size(), observer, [&](std::size_t i) {
            geometry[i] = shared_geometry(described[some[i].first], described[some[i].second],
                                          some[i].mirrored);
        });
        for (std::size_t i = 0; i < some.size(); ++i) {
            const bool is_near = geometry[i].all_places >= least_places;
            kept.put(some[i], {.geometry = is_near ? geometry[i] : SharedGeometry{}});
        }
        for (const CandidatePair &pair : all)
            if (const auto check = kept.find(pair); check->geometry.places > 0)
                found.push_back({.pair = pair, .geometry = check->geometry});
        observer.progress("pairs checked", first + all.size(), candidates.size());
    }
    keep_better_sides(found);
    return found;
}

} // namespace

SizedThumbnail thumbnail_of(const LibraryImage &image, const std::string &stored) {
    SizedThumbnail result{.thumbnail = {}, .width = image.width, .height = image.height};
    try {
        std::string jpeg = stored;
        if (jpeg.empty()) {
            const ImageLimits limits{.max_side = library_thumbnail_side};
            ImageFile file = read_image_file(image.file(), limits);
            jpeg = decode_views(file, image.file(), limits,
                                {{{library_thumbnail_side}}, library_thumbnail_side})
                       .thumbnail;
        }
        result.thumbnail = decode_thumbnail(jpeg, image.path);
    } catch (const Error &error) {
        if (error.fault != Fault::input) throw;
    }
    return result;
}

namespace {

bool has_pixels(const SizedThumbnail &image) {
    return image.thumbnail.luma.width > 1 && image.thumbnail.luma.height > 1;
}

/// Compares the pixels of some pairs. Results from stored thumbnails alone go to `kept`.
void compare(const NumberedImages &images, std::span<CheckedPair *const> pairs, KeptPairs &kept,
             Observer &observer) {
    std::vector<CandidatePair> some;
    for (const CheckedPair *pair : pairs) some.push_back(pair->pair);
    const OfImages<std::string> stored(
        some, [&](std::uint32_t image) { return images.thumbnail(image); });
    OfImages<SizedThumbnail> thumbnails(some, [](std::uint32_t) { return SizedThumbnail{}; });
    std::vector<std::uint32_t> numbers;
    for (const auto &[image, empty] : thumbnails.all()) numbers.push_back(image);
    for_each_number(numbers.size(), observer, [&](std::size_t i) {
        thumbnails.all().at(numbers[i]) = thumbnail_of(images[numbers[i]], stored[numbers[i]]);
    });
    for_each_number(pairs.size(), observer, [&](std::size_t i) {
        CheckedPair &pair = *pairs[i];
        pair.pixels.map = pair.geometry.map;
        const SizedThumbnail &one = thumbnails[pair.pair.first];
        const SizedThumbnail &other = thumbnails[pair.pair.second];
        if (has_pixels(one) && has_pixels(other))
            pair.pixels = compare_pixels(one, other, pair.geometry.map);
        pair.pixels.agreement.blocks = {}; // as what is kept
    });
    for (const CheckedPair *pair : pairs)
        if (!stored[pair->pair.first].empty() && !stored[pair->pair.second].empty())
            kept.put(pair->pair, {.geometry = pair->geometry, .pixels = pair->pixels});
}

void compare_in_parts(const NumberedImages &images, std::span<CheckedPair *const> pairs,
                      KeptPairs &kept, Observer &observer) {
    for (std::size_t first = 0; first < pairs.size(); first += comparisons_at_once) {
        const std::size_t count = std::min(comparisons_at_once, pairs.size() - first);
        compare(images, pairs.subspan(first, count), kept, observer);
        observer.progress("pairs compared", first + count, pairs.size());
    }
}

/// Gives pairs what is kept. @return the others
std::vector<CheckedPair *> without_pixels(std::span<CheckedPair *const> pairs,
                                          const KeptPairs &kept) {
    std::vector<CheckedPair *> others;
    for (CheckedPair *pair : pairs) {
        if (const auto check = kept.find(pair->pair); check->pixels)
            pair->pixels = *check->pixels;
        else
            others.push_back(pair);
    }
    return others;
}

} // namespace

std::vector<CheckedPair> check_pairs(const NumberedImages &images, const Recipe &recipe,
                                     const std::vector<CandidatePair> &candidates, KeptPairs &kept,
                                     Observer &observer) {
    std::vector<CheckedPair> pairs = pairs_in_place(images, recipe, candidates, kept, observer);
    std::vector<CheckedPair *> all, first, again;
    for (CheckedPair &pair : pairs) all.push_back(&pair);
    std::set<CandidatePair> looks;
    for (CheckedPair *pair : without_pixels(all, kept))
        (looks.insert(kept.look_of(pair->pair)).second ? first : again).push_back(pair);
    compare_in_parts(images, first, kept, observer);
    compare_in_parts(images, without_pixels(again, kept), kept, observer);
    return pairs;
}

} // namespace bowhist
