#pragma once

#include <bowhist/core/image.hpp>
#include <bowhist/ops/image_batch.hpp>
#include <bowhist/ops/separable_kernel.hpp>

#include <array>
#include <optional>
#include <string>

namespace bowhist {

/// How a two-dimensional convolution is done: the textbook's five ways, then ours.
enum class ConvolveMethod {
    automatic, ///< separable when the filter is, else sliding: the fastest at every size measured,
               ///< on PoCL and on an H200
    basic,     ///< one work-item a pixel; pixels and weights from global memory
    constant,  ///< the weights in constant memory
    tiled_input,  ///< a group the size of its input tile: radius up to 7, in groups of 256 up to 3
    tiled_output, ///< a group the size of its output tile, which loads the halo in a loop
    cached,       ///< the tile in local memory, its halo left to the cache
    sliding,      ///< down the columns, every sum in registers, no local memory
    separable     ///< rows and columns in one go; for filters that have factors
};

/// How the work-items of convolve_sliding.cl and convolve_separable.cl divide an image.
struct SlidingShape {
    std::size_t lanes = 4;  ///< neighboring columns of a work-item: 2 or 4, direct: 4, 8 or 16
    std::size_t strip = 64; ///< rows of a work-item; it reads the filter's height less one more
    Range group = {32, 4};  ///< work-items
    bool direct = false;    ///< every step loads its own pixels (a CPU), not the window once
};

/// How the groups of convolve_separable_tiled.cl do.
struct SeparableTile {
    std::size_t columns = 256; ///< that a group makes, a multiple of 4; it reads the halo's, too
    std::size_t strip = 128;   ///< rows of a group; it reads the filter's height less one more
    std::size_t step = 16;     ///< rows that are on their way at once
};

/// For a filter of that height: on a CPU vectors as wide as its own, on a GPU what its registers
/// hold.
SlidingShape sliding_shape(const Device &device, std::size_t filter_height);

struct ConvolveOptions {
    Border border = Border::reflect;
    ConvolveMethod method = ConvolveMethod::automatic;
    std::size_t outputs = 4; ///< pixels a work-item of tiled_output; the textbook has 1
    std::size_t square = 0;  ///< side of the tiles of tiled_input and cached; 0: square_tile()
    std::optional<SlidingShape> shape = {}; ///< of sliding and separable; none: the device's
    std::optional<SeparableTile> tile = {}; ///< of separable through local memory, in its place
};

/// Every method but automatic.
inline constexpr std::array convolve_methods = {
    ConvolveMethod::basic,        ConvolveMethod::constant, ConvolveMethod::tiled_input,
    ConvolveMethod::tiled_output, ConvolveMethod::cached,   ConvolveMethod::sliding,
    ConvolveMethod::separable};

/// "tiled_input": as in the kernel's file, convolve_tiled_input.cl.
std::string name_of(ConvolveMethod method);

/// The side of the square groups, and so of the tiles, of tiled_input and cached on a device: 32,
/// or 16 where its groups or their local memory are small.
std::size_t square_tile(const Device &device);

/// Why a filter cannot be convolved so on a device, in its work-groups and their local memory;
/// nothing when it can. The outputs, the square and the shape are the options that count.
std::optional<std::string> obstacle(ConvolveMethod method, const Device &device,
                                    const Filter &filter, const ConvolveOptions &options = {});

/// How a launch is shared out.
struct ConvolveGrid {
    Range groups; ///< work-groups across and down, of all images
    Range group;  ///< work-items of each
};

/// The launch that convolve() makes for images of these sizes. The method is neither automatic nor
/// separable, and has no obstacle.
ConvolveGrid convolve_grid(ConvolveMethod method, const Device &device,
                           const DeviceImages<float> &in, const Filter &filter,
                           const ConvolveOptions &options = {});

/// Convolves every image with the filter (not flipped, see Filter), in float32; `out` has the
/// same sizes and count, in another buffer, and a pitch of its own. An error is at most
/// (width + height + 5) × 6e-8 of the sum of |weight × pixel|, 4e-6 for 31×31, since each row of
/// the filter has a sum of its own (in tiled_output each column).
///
/// The launch is in the device's queue, under the label "convolve".
/// @throws Error{Fault::usage} as check_filter; when there is an obstacle; when sizes differ or
/// both
///         lie in one buffer
void convolve(Device &device, const DeviceImages<float> &in, const DeviceImages<float> &out,
              const Filter &filter, const ConvolveOptions &options = {});

} // namespace bowhist
