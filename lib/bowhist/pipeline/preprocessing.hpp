#pragma once

#include <bowhist/core/image.hpp>
#include <bowhist/core/preprocessing.hpp>

#include <filesystem>
#include <memory>
#include <string>

namespace bowhist {

/// Preprocesses images: equalize, blur, filter, in this order. Between the steps values are
/// float32; the result is rounded and held in 0 … 255. Thread-safe: images go through one after
/// another, and come out the same whatever the threads.
///
/// A filter whose weights sum to zero (a gradient, a Laplacian) answers with both signs around
/// zero: its absolute value is taken, so that edges of both directions are bright.
class Preprocessor {
  public:
    virtual ~Preprocessor() = default;

    /// An image of the same size. @throws Error{Fault::device}
    virtual Image run(const Image &image) = 0;

    /// The name of the device that does it.
    virtual std::string device() const = 0;
};

struct PreprocessorOptions {
    std::string device = {}; ///< a number, part of a name (any case), "cpu" or "gpu"; empty: the
                             ///< first GPU, else the first device
    std::filesystem::path kernel_dir = {}; ///< .cl files in place of the built-in ones
    Border border = Border::reflect;       ///< of the filter; the blur repeats the outermost pixels
};

/// Null when there is nothing to do: then no device is touched.
/// @throws Error{Fault::usage} for a sigma or a filter out of range, before a device is opened;
///         Error{Fault::device}
std::shared_ptr<Preprocessor> make_preprocessor(const Preprocessing &steps,
                                                const PreprocessorOptions &options = {});

} // namespace bowhist
