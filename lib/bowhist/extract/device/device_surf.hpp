#pragma once

#include <bowhist/extract/device/device_extractor.hpp>
#include <bowhist/extract/device/device_greys.hpp>
#include <bowhist/extract/device/device_spread.hpp>
#include <bowhist/extract/surf/surf_layers.hpp>

#include <optional>

namespace bowhist {

/// SURF on a device.
class DeviceSurf : public DeviceExtractor {
  public:
    /// As make_device_extractor.
    DeviceSurf(std::shared_ptr<Device> device, const Recipe &recipe, bool locates = false);

    const DeviceDescriptors &extract(const DeviceImageList &images) override;
    void make_room(std::size_t wanted) override;
    std::size_t most_pixels() const override;

  private:
    struct Octave;
    struct Plan;

    Plan plan(const std::vector<LaunchImage> &images);
    void integrate(const Plan &plan);
    void find(const Plan &plan);
    void keep_strongest(const Plan &plan);

    std::shared_ptr<Device> device_;
    Recipe recipe_;
    std::vector<SurfLayer> layers_;
    DeviceGreys greys_;
    Kernel halve_;
    Kernel sum_rows_;
    Kernel sum_columns_;
    Kernel respond_;
    Kernel find_;
    DeviceStrongest strongest_;
    DeviceSpread spread_;
    Kernel list_; ///< these two: only where some do not stay
    Kernel gather_;
    Kernel list_cells_; ///< only where keypoints are spread over cells
    Kernel place_;
    Kernel refine_;
    Kernel describe_;
    std::optional<Kernel> locate_; ///< where descriptors have keypoints
    Buffer<cl_float> weights_;
    Buffer<cl_float> circle_;
    Buffer<cl_uint> sums_;
    Buffer<cl_float> responses_; ///< of the planes; then of keypoints
    Buffer<cl_uint> words_;      ///< a bit for each pixel searched: whether it is a keypoint
    Buffer<cl_uint> counts_;     ///< of bits in each word
    Buffer<cl_uint> places_;     ///< of each word's first keypoint
    Buffer<SurfKeypoint> keypoints_;
    Buffer<cl_uint> ends_; ///< these four: where only the strongest stay
    Buffer<cl_uint> kept_;
    Buffer<cl_uint> kept_places_;
    Buffer<SurfKeypoint> kept_keypoints_;
    Buffer<cl_uchar> cells_; ///< of keypoints, where these are spread over cells
    Bundle bundle_;
    std::size_t room_ = 0;   ///< for keypoints of the last call
    std::size_t wanted_ = 0; ///< room for the next one, at least
    DeviceDescriptors found_;
};

} // namespace bowhist
