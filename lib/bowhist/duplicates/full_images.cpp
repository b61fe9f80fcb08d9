#include <bowhist/duplicates/full_images.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/duplicates/each_number.hpp>
#include <bowhist/library/content_hash.hpp>
#include <bowhist/pictures/decode_raster.hpp>
#include <bowhist/pictures/image_views.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <sys/stat.h>

namespace bowhist {
namespace {

constexpr int close_side = 2048;
constexpr std::size_t edge_of_block = 10; ///< pixels of letters' edges that count as a block

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

/// Whether the file is still what the library read.
bool is_unchanged(const LibraryImage &image) {
    struct stat now {};
    if (::stat(image.file().c_str(), &now) != 0) return false;
    const FileStamp stamp{static_cast<std::uint64_t>(now.st_size),
                          std::int64_t{now.st_mtim.tv_sec} * 1'000'000'000 + now.st_mtim.tv_nsec};
    return stamp == image.stamp;
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

/// Blocks that show another text. What one image alone begins is laid over the other: there it may
/// hide letters.
std::size_t replaced_in(const PixelComparison &close) {
    constexpr std::size_t much_more = 20;
    const OwnParts &own = close.own;
    const auto [less, more] = std::minmax(own.lower, own.upper);
    const bool is_laid_over = more >= much_more * std::max(less, edge_of_block);
    const auto counts = [&](const BlockAgreement &block) {
        return is_replaced(block) && !(is_laid_over && own.laid_over.holds(block.x, block.y));
    };
    return std::min(own.lower_unhidden, own.upper_unhidden) / edge_of_block +
           static_cast<std::size_t>(std::ranges::count_if(close.agreement.blocks, counts));
}

/// Of each pair whether all pixels are equal; only pairs of one look are read.
std::vector<bool> have_equal_pixels(const NumberedImages &images,
                                    std::span<const CheckedPair> pairs, KeptPairs &kept,
                                    Observer &observer) {
    std::set<std::uint32_t> numbers;
    const auto look_alike = [&kept](const CandidatePair &pair) {
        const CandidatePair look = kept.look_of(pair);
        return look.first == look.second;
    };
    for (const CheckedPair &pair : pairs)
        if (look_alike(pair.pair)) numbers.insert({pair.pair.first, pair.pair.second});
    const std::map<std::uint32_t, std::string> hashes =
        pixel_hashes(images, {numbers.begin(), numbers.end()}, kept, observer);
    std::vector<bool> equal;
    for (const auto &[pair, geometry, pixels] : pairs)
        equal.push_back(look_alike(pair) && !hashes.at(pair.first).empty() &&
                        hashes.at(pair.first) == hashes.at(pair.second));
    return equal;
}

} // namespace

std::vector<std::size_t> blocks_replaced(const NumberedImages &images,
                                         std::span<const CheckedPair> pairs, KeptPairs &kept,
                                         Observer &observer) {
    std::vector<std::size_t> replaced(pairs.size());
    std::vector<char> is_new(pairs.size()); // and to be kept
    const std::vector<bool> equal = have_equal_pixels(images, pairs, kept, observer);
    for_each_number(pairs.size(), observer, [&](std::size_t i) {
        if (equal[i]) return;
        const LibraryImage &one = images[pairs[i].pair.first];
        const LibraryImage &other = images[pairs[i].pair.second];
        const auto before = kept.find(pairs[i].pair);
        if (before && before->replaced && is_unchanged(one) && is_unchanged(other)) {
            replaced[i] = *before->replaced;
            return;
        }
        const SizedThumbnail first = close_view(one), second = close_view(other);
        if (first.thumbnail.luma.width < 2 || second.thumbnail.luma.width < 2) return;
        const PixelComparison close = compare_pixels(first, second, pairs[i].pixels.map);
        replaced[i] = replaced_in(close);
        is_new[i] = before && before->pixels && is_unchanged(one) && is_unchanged(other);
    });
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (is_new[i] == 0) continue;
        KeptCheck check = *kept.find(pairs[i].pair);
        check.replaced = replaced[i];
        kept.put(pairs[i].pair, check);
    }
    return replaced;
}

std::map<std::uint32_t, std::string> pixel_hashes(const NumberedImages &images,
                                                  const std::vector<std::uint32_t> &numbers,
                                                  KeptPairs &kept, Observer &observer) {
    std::vector<std::string> hashes(numbers.size());
    std::vector<char> is_new(numbers.size()); // and to be kept
    for_each_number(numbers.size(), observer, [&](std::size_t i) {
        const LibraryImage &image = images[numbers[i]];
        const std::string &before = kept.pixel_hash(numbers[i]);
        if (!before.empty() && is_unchanged(image)) {
            hashes[i] = before;
            return;
        }
        hashes[i] = pixel_hash(image);
        is_new[i] = !hashes[i].empty() && is_unchanged(image);
    });
    std::map<std::uint32_t, std::string> result;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (is_new[i] != 0) kept.put_pixel_hash(numbers[i], hashes[i]);
        result[numbers[i]] = std::move(hashes[i]);
    }
    return result;
}

} // namespace bowhist
