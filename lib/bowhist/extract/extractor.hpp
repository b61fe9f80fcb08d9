#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/image.hpp>
#include <bowhist/core/recipe.hpp>

#include <memory>
#include <string_view>
#include <vector>

namespace bowhist {

/// Image to descriptors. Thread-safe: one extractor serves many threads.
///
/// OpenCV's extractors may use TBB's threads inside one image, which keeps the cores at work when
/// images are few; tbb::global_control limits them (the program's -j sets it). The result is the
/// same.
class Extractor {
  public:
    virtual ~Extractor() = default;

    /// Descriptors of dimensions() floats, in the detector's order. Rows that are not finite (a
    /// patch without any gradient) are left out; an image too small for the detector has none.
    /// Deterministic for any number of threads.
    /// @throws Error{Fault::input} when this image is more than memory holds
    virtual Descriptors extract(const Image &image) const = 0;

    /// D of its descriptors.
    virtual std::size_t dimensions() const { return 64; }
};

/// The names that make_extractor knows, whether or not this build has them.
std::vector<std::string_view> extractor_names();

/// The response threshold of an extractor that was given none; 0 for an unknown name.
double default_threshold(std::string_view name);

/// The recipe as its extractor carries it out: with its own threshold in the place of 0, its own
/// largest side in the place of -1, and patches written in one way. @throws Error{Fault::usage} for
/// patches that make no sense
Recipe completed(Recipe recipe);

/// Pixels: an image with a shorter side has no descriptors. 1 where that is not known.
/// @throws Error{Fault::usage} for a recipe that makes no sense
int smallest_side(const Recipe &recipe);

/// @throws Error{Fault::usage} for an unknown name, or one that this build lacks, naming the
///         others; for a threshold that is negative or not finite, or a grid of too many cells.
std::unique_ptr<Extractor> make_extractor(const Recipe &recipe);

} // namespace bowhist
