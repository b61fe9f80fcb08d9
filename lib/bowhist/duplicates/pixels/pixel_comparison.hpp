#pragma once

#include <bowhist/core/image.hpp>
#include <bowhist/duplicates/pixels/alignment.hpp>
#include <bowhist/duplicates/pixels/beyond.hpp>
#include <bowhist/duplicates/pixels/block_test.hpp>
#include <bowhist/duplicates/pixels/image_detail.hpp>
#include <bowhist/duplicates/pixels/letter_test.hpp>
#include <bowhist/duplicates/pixels/own_parts.hpp>
#include <bowhist/pictures/raster.hpp>
#include <bowhist/search/geometry.hpp>

#include <filesystem>
#include <string_view>

namespace bowhist {

/// The most that a few windows beside each other leave (window_fit.hpp), and what is usual in this
/// very pair. Encoding and another size leave much everywhere; another text or thing leaves much in
/// one place.
struct LocalChange {
    double most = 0;  ///< in a few windows, each with those around it
    double usual = 0; ///< in half of the windows with ink
    /// As `most`, but without windows that the tones of the first image give, or of the second: a
    /// light that is clipped hides nothing of its own.
    double beyond_first = 0;
    double beyond_second = 0;
    /// As `beyond_second`, but without windows of what begins with edges of the first image: a text
    /// laid over it. And as `beyond_first`, without what begins with edges of the second.
    double unlaid_first = 0;
    double unlaid_second = 0;

    /// Whether one of the images shows something there that the other does not.
    bool is_clear() const { return is_clear(most); }
    /// Whether an image beside the first one does, or one beside the second.
    bool is_clear_beyond(bool first) const {
        return is_clear(first ? beyond_first : beyond_second);
    }
    /// Whether one does but for what is laid over the first image, or over the second.
    bool is_clear_unlaid(bool first) const {
        return is_clear(first ? unlaid_first : unlaid_second);
    }

  private:
    bool is_clear(double change) const {
        constexpr double least = 0.5; // true copies leave 0.43 in JPEG of quality 10
        constexpr double certain = 0.85, beyond_usual = 2;
        return change >= least && (change >= certain || change >= beyond_usual * usual);
    }
};

/// A change in some small place, and if it is clear, what is of one image alone.
struct LocalLook {
    LocalChange change = {};
    OwnParts own = {};
};

/// The lower image is the first. All shares are exact from 0.25 on: less is never clear.
LocalLook look_locally(const Overlay &overlay);

/// The pixels by which two images are compared.
struct Thumbnail {
    Image luma;
    Raster color;
};

/// A library's thumbnail. @param name  for messages
/// @throws Error{Fault::input} for a damaged one
Thumbnail decode_thumbnail(std::string_view jpeg, const std::filesystem::path &name);

/// An image's thumbnail and the size of its original.
struct SizedThumbnail {
    Thumbnail thumbnail;
    int width = 0; ///< pixels of the upright original
    int height = 0;
};

/// The purpose of a comparison.
enum class Look {
    thumbnails,
    close, ///< letters, too
    local  ///< only what changes in some small place, and own parts if something does
};

/// Two images, laid over each other.
struct PixelComparison {
    AffineMap map = {}; ///< from the first to the second, in pixels of the upright originals
    OverlayAgreement agreement = {};
    Beyond first = {}; ///< of the first image, beyond the second
    Beyond second = {};
    double tone = 0;        ///< mean change of levels that lays the one's over the other's
    double chroma = 0;      ///< mean difference of the colors of blocks, in levels
    double most_chroma = 0; ///< the same of the block that differs most
    /// What both show: is it the first that has more in it where the blocks differ? -1 … 1
    double busier = 0;
    LetterAgreement letters = {}; ///< by a close look
    LocalChange local = {};       ///< by a local look
    PartOfImage filled = {};      ///< of the first image: OwnParts::filled, by a local look
    OwnParts own = {};            ///< of the first image, as the lower one, and of the second
    std::size_t around = 0;       ///< textured blocks outside of what is laid over one image
    double agreeing_around = 0;   ///< share of them that agree
    double plain = 0;             ///< share of about one level, in the image that has less of it
    double even = 0;              ///< the same, as if light were even; 0 after a close look
    std::size_t compared = 0;     ///< pixels of the smaller side of the smaller view

    /// Each shows something of its own where blocks differ, or the same at another place.
    bool have_own_parts() const {
        return (agreement.differing > 0 && own.of_both()) || own.moved.is_seen();
    }
};

/// The share of an image's pixels of about one level, as if its light were even.
double even_share(const Image &image);

/// Lays thumbnails over each other and compares them in the size of the smaller view.
/// @param map  as the result's, found by keypoints
PixelComparison compare_pixels(const SizedThumbnail &first, const SizedThumbnail &second,
                               const AffineMap &map, Look look = Look::thumbnails);

/// Lays an image over a smaller one, in the smaller one's size.
/// @param map  from the smaller one, in pixels of the upright originals
/// @return nothing covered where one has no pixels
Overlay laid_under(const SizedThumbnail &small, const SizedThumbnail &image, const AffineMap &map);

} // namespace bowhist
