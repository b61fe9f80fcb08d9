#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/core/recipe.hpp>
#include <bowhist/inputs/inputs.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace bowhist::app {

/// Says how large the file of many images' descriptors becomes: in a warning where it is large or
/// its disk too small, else in a note. `dense`, or a limit of descriptors, makes it known before
/// the first image; detectors find as many as there are, so the first images decide.
class SizeForecast {
  public:
    /// Looks at the headers of a few images. @param dimensions  of the extractor's descriptors
    SizeForecast(std::filesystem::path file, const InputList &list, const Recipe &recipe,
                 std::size_t dimensions, Observer &observer);

    void add(const Descriptors &descriptors);

  private:
    void announce(double bytes, const char *how_sure, const char *by);

    std::filesystem::path file_;
    Observer &observer_;
    std::size_t inputs_;
    std::size_t seen_ = 0;
    std::uint64_t bytes_ = 0; ///< of those seen
    bool announced_ = false;
};

} // namespace bowhist::app
