#pragma once

#include <bowhist/extract/device/device_extractor.hpp>
#include <bowhist/extract/device/parts.hpp>

#include <utility>
#include <vector>

namespace bowhist {

/// Pictures in sixteenths of grey values on a device, end to end, that are smoothed round by round.
class DeviceGreys {
  public:
    /// Where they lie, and how they are smoothed.
    struct Layout {
        std::vector<LaunchPicture> pictures = {};
        std::size_t pixels = 0; ///< of all
        Parts tiles = {};       ///< of each picture: groups that smooth
        Buffer<LaunchPicture> there = {};

        void add(int width, int height);
        void join(Bundle &bundle);
    };

    explicit DeviceGreys(Device &device);

    /// What smooth() goes on from: the pictures that it is told next are these pixels.
    void start(const Buffer<cl_uchar> &pixels);
    /// A round of the binomial filter, as smoothing.hpp has it.
    void smooth(Device &device, const Layout &layout);
    /// Room for what replace() puts in the place of the greys.
    const Buffer<cl_short> &scratch() const { return scratch_; }
    void replace() { std::swap(greys_, scratch_); }

    const Buffer<cl_short> &greys() const { return greys_; }

  private:
    Kernel smooth_pixels_;
    Kernel smooth_;
    Buffer<cl_uchar> pixels_; ///< of the first round; empty behind it
    Buffer<cl_short> greys_;
    Buffer<cl_short> scratch_;
};

} // namespace bowhist
