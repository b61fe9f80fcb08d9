#pragma once

#include <bowhist/duplicates/duplicates.hpp>
#include <bowhist/duplicates/judgement.hpp>
#include <bowhist/duplicates/pixels/image_detail.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace bowhist {

/// How whole and upright an image is, as the pairs with its copies show.
struct Wholeness {
    bool lacks = false;               ///< a copy shows more of the picture
    bool bordered = false;            ///< has a border that a copy lacks
    std::size_t covering_pairs = 0;   ///< whose other image shows at least half of it
    std::size_t overlaid_pairs = 0;   ///< of these, in which something is laid over this image
    std::size_t turned_pairs = 0;     ///< in which the two are turned or mirrored
    std::size_t pairs = 0;            ///< all of its pairs with copies
    bool turned_from_upright = false; ///< in a pair whose other image is upright by Exif

    /// The faults of the image by Preference::whole; fewer are better. Something laid over an
    /// image shows in most of its pairs, if the other image lies there: one pair alone may be wrong
    /// about which image it is.
    int faults() const {
        return (lacks ? 4 : 0) + (2 * overlaid_pairs > covering_pairs ? 2 : 0) + (bordered ? 1 : 0);
    }
    /// Whether most copies, or one that is upright by Exif, lie otherwise.
    bool is_turned() const { return turned_from_upright || 2 * turned_pairs > pairs; }
    /// Counts a pair of the image with a copy.
    /// @param of_first          the image is the pair's first one
    /// @param other_is_upright  the other image, by Exif
    void add(const Judgement &judgement, bool of_first, bool other_is_upright);
};

/// An image that may be kept.
struct Contender {
    const LibraryImage *image = nullptr;
    Wholeness whole = {};
    ImageQuality quality = {};
    bool has_companions = false; ///< sidecars, a raw file or a video beside it
};

/// Which of two is to be kept, and why.
struct Choice {
    bool first = true;                ///< keep the first; else the second
    Preference by = Preference::path; ///< the first preference in which they differ
    bool by_date_of_file = false;     ///< the capture of one of them is not known
    bool against_date = false;        ///< the older one lacks levels: it is hardly the original
    /// Whether bytes or names alone decided, which say nothing of what an image shows, or a date
    /// spoke for the other one.
    bool is_doubtful() const {
        return by == Preference::bytes || by == Preference::path || against_date;
    }
};

/// Whether one image shows all that another shows in no less detail, with most of its levels and in
/// no coarser encoding. False in doubt, unless the other one is surrounded: then it was enlarged.
/// @param scale  pixels of the other for one of the first, along a line
bool shows_no_less(const ImageQuality &one, const ImageQuality &other, double scale,
                   bool other_is_surrounded);

/// Compares by preferences in their order; at last by the bytes of the path.
/// @param preferences  REQUIRES: the order is filled, for instance by usual_preferences()
/// @param scale        pixels of the other for one of `one`, along a line; by the images' sizes
///                     without it
Choice better_of(const Contender &one, const Contender &other, const Preferences &preferences,
                 std::optional<double> scale = {});

/// The order that is used unless another one is asked for.
std::vector<Preference> usual_preferences();

} // namespace bowhist
