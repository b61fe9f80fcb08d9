#pragma once

#include <bowhist/duplicates/duplicates.hpp>
#include <bowhist/duplicates/judgement.hpp>

#include <span>
#include <vector>

namespace bowhist {

/// What speaks for keeping an image, as its pairs show it.
struct Wholeness {
    bool lacks = false; ///< another shows more of the picture
    bool bordered = false;
    std::size_t overlaid_pairs = 0; ///< in which it is the one with something laid over it
    std::size_t turned_pairs = 0;
    std::size_t pairs = 0;

    /// What is laid over an image, and a turn, show in most of its pairs.
    int faults() const {
        return (lacks ? 8 : 0) + (2 * overlaid_pairs > pairs ? 4 : 0) + (bordered ? 2 : 0) +
               (2 * turned_pairs > pairs ? 1 : 0);
    }
    void add(const Judgement &judgement, bool of_first);
};

/// Whether one image is to be kept rather than the other, by preferences in their order; at last
/// by the path.
bool is_better(const LibraryImage &one, const Wholeness &of_one, const LibraryImage &other,
               const Wholeness &of_other, const Preferences &preferences);

/// The order where no other is asked for.
std::vector<Preference> usual_preferences();

} // namespace bowhist
