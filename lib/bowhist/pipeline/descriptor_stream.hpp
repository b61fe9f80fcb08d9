#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/extract/extractor.hpp>
#include <bowhist/inputs/inputs.hpp>
#include <bowhist/pictures/picture.hpp>
#include <bowhist/pipeline/picture_counter.hpp>
#include <bowhist/pipeline/preprocessing.hpp>
#include <bowhist/tables/formats/sidecar.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace bowhist {

/// How many inputs were read and skipped, and how many had few descriptors.
struct StreamCounts {
    std::size_t read = 0;
    std::size_t skipped = 0; ///< could not be used
    std::size_t few = 0;     ///< images of those read that have fewer descriptors than `few`
    std::size_t none = 0;    ///< of these, images without any
    std::size_t small = 0;   ///< of those without any, ones that are too small
    std::size_t flat = 0;    ///< of the others without any, ones of a single grey
    std::size_t strips = 0;  ///< of those read, images that are long strips, which shrink less

    StreamCounts &operator+=(const StreamCounts &other);
};

struct Described;

struct StreamOptions {
    int threads = 0; ///< that read and extract; 0: all cores
    ImageLimits image;
    std::shared_ptr<Preprocessor> preprocessor = {}; ///< of images, before extraction; may be null
    std::size_t dimensions =
        0; ///< descriptors of another dimension do not fit; 0: the first input decides
    std::optional<Recipe> made_by; ///< descriptor files of another recipe do
                                   ///< not fit; without it the first file's recipe decides
    bool strict = false;           ///< the first input that cannot be used ends the work
    std::size_t in_flight = 0;     ///< inputs that are in memory at a time; 0: by the threads
    std::size_t few = 50;  ///< an image with fewer descriptors is hard to compare with others
    int smallest_side = 1; ///< pixels; an image with a shorter side cannot have descriptors
    ImageCounter *counter = nullptr;   ///< counts the images that it takes; outlives the stream
    StreamCounts *so_far = nullptr;    ///< of the first inputs, which were read before and are not
                                       ///< read again; kept up to date, however the work ends
    std::function<bool()> enough = {}; ///< asked before each input: true ends the stream with the
                                       ///< inputs before it; without it all are read
    std::string doubt = {};            ///< a warning about the vocabulary, before the first input
    /// Works on an input's descriptors as soon as they are there, on many threads; `dimensions` are
    /// those that it leaves. Errors that it throws get the input's path in front.
    std::function<void(Described &)> prepare = {};
};

/// Whether an image can have descriptors at all.
enum class ImageContent { usual, too_small, flat };

/// One input, as descriptors with their keypoints where these are known, or as counts.
struct Described {
    Input input;
    std::string image; ///< path bytes of its image
    Descriptors descriptors = {};
    std::size_t found = 0; ///< descriptors before StreamOptions::prepare
    int width = 0;         ///< pixels of the image that they were extracted from; 0: unknown
    int height = 0;
    ImageContent content = {};
    std::optional<PendingCounts> counts = {}; ///< in place of its descriptors, by
                                              ///< StreamOptions::counter
    std::optional<Recipe> recipe = {};        ///< of a descriptor file, where it is known
    std::size_t number = 0;                   ///< of the input among all
};

/// Counts and notes an image with few descriptors.
void count_few(const std::string &image, ImageContent content, std::size_t found, std::size_t few,
               StreamCounts &counts, Observer &observer);

/// Bytes that a picture takes on its way, about: decoded, and with its descriptors.
std::uint64_t bytes_of_picture(const ImageLimits &limits);

/// Turns inputs into descriptors on many threads and hands them to `sink` one at a time, in input
/// order, on any of the threads. Few are in memory at any time.
///
/// An input that cannot be used is reported to the observer and left out (with `strict` its error
/// is thrown). An image with few descriptors is noted, unless it is counted by options.counter. An
/// input whose name the sink's file system cannot hold (UnusableName) is left out, too.
/// @throws Error{Fault::interrupted}; whatever else `sink` throws
StreamCounts stream_descriptors(std::span<const Input> inputs, const Extractor &extractor,
                                const StreamOptions &options, Observer &observer,
                                const std::function<void(Described &&)> &sink);

} // namespace bowhist
