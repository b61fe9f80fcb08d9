#pragma once

#include <bowhist/assign/assigner.hpp>
#include <bowhist/core/image.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/core/recipe.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace bowhist {

/// Pictures to histograms without leaving a device: pixels go up, counts come back. The counts are
/// those of extracting on the host and assigning there.
class PictureCounter {
  public:
    virtual ~PictureCounter() = default;

    /// Pixels that are worth a launch, and that the device has room for together. A picture of more
    /// is for the host. Thread-safe, and lasts beyond release().
    virtual std::size_t batch_pixels() const = 0;

    /// The k counts of each picture, one behind another. @throws Error{Fault::device}; OutOfMemory
    virtual std::vector<std::uint32_t> run(std::span<const Image> pictures) = 0;

    /// Gives back the device's memory. It may not run again.
    virtual void release() = 0;
};

/// Whether pictures of this recipe are counted on a GPU where there is one.
bool suits_gpus(const Recipe &recipe);

/// Where the recipe's extractor runs on the assigner's device, which was tried: it makes the host's
/// descriptors, or a warning says that it does not. And where that is a GPU (or `anywhere`): a CPU's
/// own vector units extract faster than OpenCL does there. Else null. It refers to the assigner.
std::unique_ptr<PictureCounter> make_picture_counter(const Recipe &recipe, Assigner &assigner,
                                                     Observer &observer, bool anywhere = false);

} // namespace bowhist
