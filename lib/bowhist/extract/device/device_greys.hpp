#pragma once

#include <bowhist/extract/device/device_extractor.hpp>
#include <bowhist/extract/device/parts.hpp>

#include <utility>
#include <vector>

namespace bowhist {

/// Images in sixteenths of grey values on a device, end to end, that are smoothed round by round.
///
/// Protocol: start, then (smooth or replace)*, greys between them. All is queued. One thread at a
/// time.
class DeviceGreys {
  public:
    /// The places of images, and the groups that smooth them.
    struct Layout {
        std::vector<LaunchImage> images = {};
        std::size_t pixels = 0;         ///< of all
        Parts tiles = {};               ///< of each image: groups that smooth
        Buffer<LaunchImage> there = {}; ///< the images on the device, once the bundle is sent

        void add(int width, int height);
        void join(Bundle &bundle); ///< `this` must stay in place until the bundle is sent
    };

    explicit DeviceGreys(Device &device);

    /// The next smooth() reads these pixels. The buffer is shared; it must not change until then.
    void start(const Buffer<cl_uchar> &pixels) { pixels_ = pixels; }

    /// A round of the binomial filter, as in smoothing.hpp. The layout is the one of the pixels.
    void smooth(Device &device, const Layout &layout);

    /// As large as the greys: a caller writes others there, which replace() makes the greys.
    const Buffer<cl_short> &scratch() const { return scratch_; }
    void replace() { std::swap(greys_, scratch_); }

    /// The greys that the last smooth() or replace() left; valid until the next.
    const Buffer<cl_short> &greys() const { return greys_; }

  private:
    Kernel smooth_pixels_;
    Kernel smooth_;
    Buffer<cl_uchar> pixels_; ///< read by the first round; empty after it
    Buffer<cl_short> greys_;
    Buffer<cl_short> scratch_;
};

} // namespace bowhist
