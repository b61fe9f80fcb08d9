#include <bowhist/duplicates/pair_check.hpp>

#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/library/content_hash.hpp>
#include <bowhist/library/update.hpp>
#include <bowhist/pictures/decode_raster.hpp>
#include <bowhist/pictures/image_views.hpp>

#include <tbb/parallel_for.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

namespace bowhist {
namespace {

constexpr std::size_t pairs_at_once = 8192;
constexpr std::size_t comparisons_at_once = 512;
constexpr std::size_t least_places = 8;

/// What is needed of the images of some pairs, read one by one, used by all threads.
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

/// Runs `work` for each number below count, on all threads.
void for_each_number(std::size_t count, Observer &observer,
                     const std::function<void(std::size_t)> &work) {
    tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) {
        const DefaultFloats floats;
        observer.stop_if_interrupted();
        work(i);
    });
}

/// Of the two sides of a pair the one of more places, of equal ones the plain one.
void keep_better_sides(std::vector<CheckedPair> &pairs) {
    std::vector<CheckedPair> kept;
    for (CheckedPair &pair : pairs) {
        const bool same = !kept.empty() && kept.back().pair.first == pair.pair.first &&
                          kept.back().pair.second == pair.pair.second;
        if (!same)
            kept.push_back(std::move(pair));
        else if (pair.geometry.places > kept.back().geometry.places)
            kept.back() = std::move(pair);
    }
    pairs = std::move(kept);
}

std::vector<CheckedPair> pairs_in_place(const NumberedImages &images, const Recipe &recipe,
                                        const std::vector<CandidatePair> &candidates,
                                        Observer &observer) {
    std::vector<CheckedPair> found;
    for (std::size_t first = 0; first < candidates.size(); first += pairs_at_once) {
        const std::span<const CandidatePair> some(
            candidates.data() + first, std::min(pairs_at_once, candidates.size() - first));
        const OfImages<TwoSidedImage> described(some, [&](std::uint32_t image) {
            const LibraryImage &one = images[image];
            return TwoSidedImage(images.words(image), one.width, one.height, recipe);
        });
        std::vector<SharedGeometry> geometry(some.size());
        for_each_number(some.size(), observer, [&](std::size_t i) {
            geometry[i] = shared_geometry(described[some[i].first], described[some[i].second],
                                          some[i].mirrored);
        });
        for (std::size_t i = 0; i < some.size(); ++i)
            if (geometry[i].places >= least_places)
                found.push_back({.pair = some[i], .geometry = geometry[i]});
        observer.progress("pairs checked", first + some.size(), candidates.size());
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

constexpr int close_side = 1024;

std::string pixel_hash(const LibraryImage &image) {
    try {
        const ImageLimits limits{.max_side = 0};
        ImageFile file = read_image_file(image.file(), limits);
        const Raster raster = decode_raster(file, image.file(), limits, Color::bgr, nullptr);
        return content_hash(
            {reinterpret_cast<const char *>(raster.samples.data()), raster.samples.size()});
    } catch (const Error &error) {
        if (error.fault != Fault::input) throw;
        return {};
    }
}

/// The image in grey, in the size of a close look; without color.
SizedThumbnail close_view(const LibraryImage &image) {
    SizedThumbnail view{.thumbnail = {}, .width = image.width, .height = image.height};
    try {
        view.thumbnail.luma = read_image(image.file(), {.max_side = close_side});
    } catch (const Error &error) {
        if (error.fault != Fault::input) throw;
    }
    return view;
}

} // namespace

std::vector<std::size_t> blocks_replaced(const NumberedImages &images,
                                         std::span<const CheckedPair> pairs, Observer &observer) {
    std::vector<std::size_t> replaced(pairs.size());
    for_each_number(pairs.size(), observer, [&](std::size_t i) {
        const SizedThumbnail first = close_view(images[pairs[i].pair.first]);
        const SizedThumbnail second = close_view(images[pairs[i].pair.second]);
        if (first.thumbnail.luma.width < 2 || second.thumbnail.luma.width < 2) return;
        replaced[i] = compare_pixels(first, second, pairs[i].pixels.map).agreement.replaced;
    });
    return replaced;
}

std::map<std::uint32_t, std::string> pixel_hashes(const NumberedImages &images,
                                                  const std::vector<std::uint32_t> &numbers,
                                                  Observer &observer) {
    std::vector<std::string> hashes(numbers.size());
    for_each_number(numbers.size(), observer,
                    [&](std::size_t i) { hashes[i] = pixel_hash(images[numbers[i]]); });
    std::map<std::uint32_t, std::string> result;
    for (std::size_t i = 0; i < numbers.size(); ++i) result[numbers[i]] = std::move(hashes[i]);
    return result;
}

std::vector<CheckedPair> check_pairs(const NumberedImages &images, const Recipe &recipe,
                                     const std::vector<CandidatePair> &candidates,
                                     Observer &observer) {
    std::vector<CheckedPair> pairs = pairs_in_place(images, recipe, candidates, observer);
    for (std::size_t first = 0; first < pairs.size(); first += comparisons_at_once) {
        const std::size_t count = std::min(comparisons_at_once, pairs.size() - first);
        std::vector<CandidatePair> some;
        for (std::size_t i = 0; i < count; ++i) some.push_back(pairs[first + i].pair);
        const OfImages<std::string> stored(
            some, [&](std::uint32_t image) { return images.thumbnail(image); });
        OfImages<SizedThumbnail> thumbnails(some, [](std::uint32_t) { return SizedThumbnail{}; });
        std::vector<std::uint32_t> numbers;
        for (const auto &[image, empty] : thumbnails.all()) numbers.push_back(image);
        for_each_number(numbers.size(), observer, [&](std::size_t i) {
            thumbnails.all().at(numbers[i]) = thumbnail_of(images[numbers[i]], stored[numbers[i]]);
        });
        for_each_number(count, observer, [&](std::size_t i) {
            CheckedPair &pair = pairs[first + i];
            pair.pixels.map = pair.geometry.map;
            const SizedThumbnail &one = thumbnails[pair.pair.first];
            const SizedThumbnail &other = thumbnails[pair.pair.second];
            if (one.thumbnail.luma.width > 1 && other.thumbnail.luma.width > 1 &&
                one.thumbnail.luma.height > 1 && other.thumbnail.luma.height > 1)
                pair.pixels = compare_pixels(one, other, pair.geometry.map);
        });
        observer.progress("pairs compared", first + count, pairs.size());
    }
    return pairs;
}

} // namespace bowhist
