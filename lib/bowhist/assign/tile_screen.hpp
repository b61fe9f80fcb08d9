#pragma once

#include <bowhist/assign/bound.hpp>
#include <bowhist/assign/device_screen.hpp>
#include <bowhist/assign/tile_shape.hpp>

#include <optional>
#include <string>

namespace bowhist {

/// Register tiles, gpu6: scores x·c − ‖c‖²/2 in float32, many at a time, proven by dot_bound.
class TileScreen : public DeviceScreen {
  public:
    /// @param shape one that the device's limits allow, see tile_shape()
    TileScreen(std::shared_ptr<Device> device, const TileShape &shape, const Vocabulary &vocabulary,
               const AssignOptions &options);
    void reserve(std::size_t) override {} // it needs nothing beside the rows
    void run(const DeviceRows &rows) override;

    /// Searches only the rows of a list, laid out as `unproven` is, which must be another buffer:
    /// for a faster screen to hand over what it could not prove.
    void run_listed(const DeviceRows &rows, const Buffer<cl_uint> &list);

  private:
    /// The scalars of a launch; laid out as Search in score.cl.
    struct Search {
        cl_uint n, k;
        cl_float margin, linear, quadratic, largest_norm;
    };

    Kernel build(const std::string &more_options) const;
    void launch(Kernel &kernel, std::size_t groups, const DeviceRows &rows,
                const Buffer<cl_uint> &list);

    std::shared_ptr<Device> device_;
    TileShape shape_;
    std::size_t words_;
    std::size_t dimensions_;
    DotBound bound_;
    Kernel assign_;
    std::optional<Kernel> assign_listed_; ///< built when it is first asked for
    Buffer<float> centroids_;             ///< packed
    Buffer<float> starts_;                ///< −‖c‖²/2
};

} // namespace bowhist
