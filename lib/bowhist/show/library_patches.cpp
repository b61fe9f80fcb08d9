#include <bowhist/show/library_patches.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/library/file_places.hpp>
#include <bowhist/library/models.hpp>
#include <bowhist/pictures/area_average.hpp>
#include <bowhist/show/cut_patches.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

namespace bowhist {
namespace {

/// The keypoint of a word with the largest scale, of equal ones the first.
std::optional<Place> largest_place(const Library::Words &words, std::uint32_t word) {
    const auto range = std::ranges::equal_range(words.words, word);
    std::optional<Place> largest;
    for (auto at = range.begin(); at != range.end() && !words.places.empty(); ++at) {
        const Place &place =
            words.places[static_cast<std::size_t>(std::distance(words.words.begin(), at))];
        if (!largest || place.scale > largest->scale) largest = place;
    }
    return largest;
}

} // namespace

LibraryPatches::LibraryPatches(const Library &library, int side) : library_(library), side_(side) {
    const auto models = library.describing_models();
    if (!models.words || !models.words->recorded.recipe()) return;
    const Recipe recipe = *models.words->recorded.recipe();
    described_side_ = recipe.largest_side();
    enlarges_ = recipe.enlarge;
}

std::vector<std::string> LibraryPatches::of(std::span<const std::uint32_t> words,
                                            std::span<const LibraryImage> images) const {
    std::vector<std::string> patches(words.size());
    std::vector<bool> found(words.size());
    for (const LibraryImage &image : images) {
        if (std::ranges::find(found, false) == found.end()) break;
        PixelSize size = shrunk({image.width, image.height}, described_side_);
        const double longer = std::max(image.width, image.height);
        const double ratio = enlarges_ ? std::max(1.0, described_side_ / longer) : 1;
        size = {int(std::lround(size.width * ratio)), int(std::lround(size.height * ratio))};
        const Library::Words own = library_.words(image);
        std::vector<DescribedPlace> places;
        std::vector<std::size_t> of;
        for (std::size_t i = 0; i < words.size(); ++i) {
            const auto place = found[i] ? std::nullopt : largest_place(own, words[i]);
            if (!place) continue;
            places.push_back(
                {keypoint_at(*place, size.width, size.height), size.width, size.height});
            of.push_back(i);
        }
        if (places.empty() || !shows_its_row(image)) continue;
        try {
            auto cut = cut_patches(image.file(), places, side_);
            for (std::size_t i = 0; i < of.size(); ++i) patches[of[i]] = std::move(cut[i]);
            for (const std::size_t i : of) found[i] = true;
        } catch (const Error &error) { // gone: the next image may be there
            if (error.fault != Fault::input) throw;
        }
    }
    std::erase(patches, std::string());
    return patches;
}

} // namespace bowhist
