#pragma once

#include <bowhist/assign/assigner.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/image.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/core/recipe.hpp>
#include <bowhist/extract/extractor.hpp>

#include <cstdint>
#include <future>
#include <memory>
#include <mutex>
#include <vector>

namespace bowhist {

/// The counts of a picture, there or on their way.
struct PendingCounts {
    std::shared_future<std::vector<std::uint32_t>> counts; ///< k of each picture of a batch; or
                                                           ///< Error{Fault::device}, OutOfMemory
    std::size_t place = 0;                                 ///< of the picture in its batch
    Image picture = {}; ///< to be counted by other means where memory runs out; else empty
};

/// Pictures to histograms: extracted and assigned at one place. The counts are those of extracting
/// with the recipe's extractor and assigning by any level. Thread-safe.
class PictureCounter {
  public:
    virtual ~PictureCounter() = default;

    /// Whether the picture may be added now.
    virtual bool takes(const Image &picture) const = 0;

    /// May wait for room. @throws as Extractor::extract; Error{Fault::device}
    virtual PendingCounts add(Image picture) = 0;

    /// Counts what waits for others to come.
    virtual void flush() {}

    /// While it is held, no pictures are sent to the assigner: somebody else uses it.
    virtual std::unique_lock<std::mutex> pause() { return {}; }
};

/// That the host extracts from now on.
void warn_of_no_room(const OutOfMemory &error, Observer &observer);

/// Whether pictures of this recipe are counted on a GPU where there is one.
bool suits_gpus(const Recipe &recipe);

/// For a level of the host, each picture on the thread that adds it. For a GPU (or `anywhere`; but
/// a CPU's own vector units extract faster than OpenCL does there) where the recipe's extractor
/// runs there, batches that never leave it: it was tried and makes the host's descriptors, or a
/// warning says that it does not. Else null. It refers to the extractor and the assigner.
std::unique_ptr<PictureCounter> make_picture_counter(const Recipe &recipe,
                                                     const Extractor &extractor, Assigner &assigner,
                                                     Observer &observer, bool anywhere = false);

} // namespace bowhist
