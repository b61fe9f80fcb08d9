#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/extract/extractor.hpp>
#include <bowhist/files/inputs.hpp>
#include <bowhist/files/picture.hpp>
#include <bowhist/files/sidecar.hpp>
#include <bowhist/pipeline/preprocessing.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace bowhist {

struct StreamOptions {
    int threads = 0; ///< that read and extract; 0: all cores
    PictureLimits picture;
    std::shared_ptr<Preprocessor> preprocessor =
        {}; ///< of pictures, before extraction; may be none
    std::size_t dimensions =
        0; ///< descriptors of another dimension do not fit; 0: the first input decides
    std::optional<ExtractorRecord> made_by; ///< descriptor files that say otherwise do
                                            ///< not fit; none: the first that says so decides
    bool strict = false;                    ///< the first input that cannot be used ends the work
};

/// One input, as descriptors.
struct Described {
    Input input;
    std::string image; ///< the picture that they are of: path bytes
    Descriptors descriptors;
    std::optional<ExtractorRecord> extractor; ///< how a descriptor file says that it was made
};

/// Turns inputs into descriptors on many threads and hands them to `sink` one at a time, in input
/// order. Few are in memory at any time.
///
/// An input that cannot be used is told to the observer and left out (with `strict` its error is
/// thrown).
/// @return how many were left out
/// @throws Error{Fault::interrupted}; whatever `sink` throws
std::size_t stream_descriptors(std::span<const Input> inputs, const Extractor &extractor,
                               const StreamOptions &options, Observer &observer,
                               const std::function<void(Described &&)> &sink);

} // namespace bowhist
