#pragma once

#include <bowhist/duplicates/duplicates.hpp>
#include <bowhist/duplicates/judgement.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace bowhist {

/// What speaks for keeping an image, as its pairs show it.
struct Wholeness {
    bool lacks = false; ///< another shows more of the picture
    bool bordered = false;
    std::size_t covering_pairs = 0; ///< whose other image shows at least half of it
    std::size_t overlaid_pairs =
        0; ///< of these, in which it is the one with something laid over it
    std::size_t turned_pairs = 0;
    std::size_t pairs = 0;
    bool turned_from_upright = false; ///< against an image whose Exif sets it upright

    /// What is laid over an image shows in most of its pairs, if the
    /// other image lies there.
    int faults() const {
        return (lacks ? 4 : 0) + (2 * overlaid_pairs > covering_pairs ? 2 : 0) + (bordered ? 1 : 0);
    }
    bool is_turned() const { return turned_from_upright || 2 * turned_pairs > pairs; }
    /// @param other_is_upright  the pair's other image, by Exif
    void add(const Judgement &judgement, bool of_first, bool other_is_upright);
};

/// An image that may be kept.
struct Contender {
    const LibraryImage *image = nullptr;
    Wholeness whole = {};
    double detail = 1; ///< share of its pixels that show detail (image_detail.hpp)
    bool has_companions = false;
};

/// Which of two is to be kept, and why.
struct Choice {
    bool first = true;
    Preference by = Preference::path;
    /// Whether the two may differ in nothing that matters: bytes or names alone decided.
    bool is_tie() const { return by == Preference::bytes || by == Preference::path; }
};

/// Below 0 where the first shows what both show in more detail, above 0 where the second does.
/// @param scale  pixels of the second in one of the first
int compare_details(double first, double second, double scale);

/// Compares by preferences in their order; at last by the path.
/// @param scale  pixels of the second in one of the first; nothing where they do not agree
Choice better_of(const Contender &one, const Contender &other, const Preferences &preferences,
                 std::optional<double> scale = {});

/// The order where no other is asked for.
std::vector<Preference> usual_preferences();

} // namespace bowhist
