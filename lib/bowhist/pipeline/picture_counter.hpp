#pragma once

#include <bowhist/assign/assigner.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/image.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/core/preparation.hpp>
#include <bowhist/core/recipe.hpp>
#include <bowhist/encode/tally.hpp>
#include <bowhist/extract/extractor.hpp>
#include <bowhist/pictures/picture.hpp>
#include <bowhist/pipeline/preprocessing.hpp>

#include <cstdint>
#include <exception>
#include <filesystem>
#include <future>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace bowhist {

/// The counts of an image, ready or on their way.
struct PendingCounts {
    std::shared_future<std::vector<std::uint32_t>> counts; ///< k of each image of a batch, or its
                                                           ///< tally; or Error{Fault::device},
                                                           ///< OutOfMemory
    std::size_t place = 0;                                 ///< of the image in its batch
    Image image = {}; ///< for the host to count where memory runs out; else empty

    /// Whether the counter took the image; else `image` is for the caller to count.
    bool is_taken() const { return counts.valid(); }
};

/// Counts the words of images: extracts, prepares and assigns at one place. The counts are those of
/// the recipe's extractor and of any level.
///
/// Protocol: takes, then add; flush before waiting for the counts. Any thread, at any time. pause()
/// while another uses an assigner.
class ImageCounter {
  public:
    virtual ~ImageCounter() = default;

    /// Whether the image may be added now.
    virtual bool takes(const Image &image) const = 0;

    /// May wait for room. @throws as Extractor::extract; Error{Fault::device}
    virtual PendingCounts add(Image image) = 0;

    /// Counts the images of a batch that is not full.
    virtual void flush() {}

    /// While the lock is held, the counter does not use the assigner.
    virtual std::unique_lock<std::mutex> pause() { return {}; }
    /// The same for one of several assigners.
    virtual std::unique_lock<std::mutex> pause(const Assigner & /*assigner*/) { return pause(); }

    /// About how long all that was added will still take, by what was counted so far.
    virtual double seconds_left() const { return 0; }

    /// The error that ended the counting; null while it runs.
    virtual std::exception_ptr failure() const { return nullptr; }

    /// Reports the devices that ended counting since the last call, where others go on.
    /// @return whether images of a device that failed may be added again: never one more time than
    ///         there are devices
    virtual bool report_failures(Observer & /*observer*/) { return false; }
};

/// An image that is not decoded yet: an upload, an entry of an archive.
struct EncodedInput {
    std::string_view bytes;     ///< of a file of any kind that read_image takes
    std::filesystem::path name; ///< stands for a path in errors and remarks
};

/// Decodes an image on the calling thread, as read_image decodes a file with these bytes,
/// preprocesses it, and adds it. Any thread, at any time; flush as after add.
/// @param limits        decide what is refused, and how large the image is
/// @param preprocessor  the recipe's; null where it has none
/// @param remarks       filled where given
/// @return what add returns; not taken where the counter takes no such image
/// @throws as read_image, Preprocessor::run and ImageCounter::add, with the name in front
PendingCounts add_encoded(ImageCounter &counter, const EncodedInput &input,
                          const ImageLimits &limits = {}, Preprocessor *preprocessor = nullptr,
                          ImageRemarks *remarks = nullptr);

/// Warns that the host extracts from now on.
void warn_of_no_room(const OutOfMemory &error, Observer &observer);

/// Whether images of this recipe are counted on a GPU where there is one.
bool suits_gpus(const Recipe &recipe);

/// For a host level: counts each image on the thread that adds it. For a GPU that runs the recipe's
/// extractor and prepares rows: counts batches there, if a trial makes the host's rows, else warns.
/// For several devices: each counts batches of its own. Else null.
/// @param extractor  @param assigner  outlive the counter
/// @param anywhere   on a CPU, too, whose own vector units extract faster than its OpenCL
/// @param preparation  of the descriptors, outlives the counter; null: none
/// @param tally  makes tallies in place of counts; REQUIRES: make_device_encoder() found that the
///               device can
std::unique_ptr<ImageCounter> make_image_counter(const Recipe &recipe, const Extractor &extractor,
                                                 Assigner &assigner, Observer &observer,
                                                 bool anywhere = false,
                                                 const Preparation *preparation = nullptr,
                                                 const std::optional<TallyShape> &tally = {});

} // namespace bowhist
