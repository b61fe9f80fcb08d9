#pragma once

#include <bowhist/assign/bound.hpp>
#include <bowhist/assign/device_screen.hpp>
#include <bowhist/assign/tile_shape.hpp>

namespace bowhist {

/// Register tiles, gpu6: scores x·c − ‖c‖²/2 in float32, many at a time, proven by dot_bound.
class TileScreen : public DeviceScreen {
  public:
    /// @param shape one that the device's limits allow, see tile_shape()
    TileScreen(std::shared_ptr<Device> device, const TileShape &shape, const Vocabulary &vocabulary,
               const AssignOptions &options);
    void reserve(std::size_t) override {} // it needs nothing beside the rows
    void run(const DeviceRows &rows) override;

  private:
    /// The scalars of a launch; laid out as Search in score.cl.
    struct Search {
        cl_uint n, k;
        cl_float margin, linear, quadratic, largest_norm;
    };

    std::shared_ptr<Device> device_;
    TileShape shape_;
    std::size_t words_;
    DotBound bound_;
    Kernel assign_;
    Buffer<float> centroids_; ///< packed
    Buffer<float> starts_;    ///< −‖c‖²/2
};

} // namespace bowhist
