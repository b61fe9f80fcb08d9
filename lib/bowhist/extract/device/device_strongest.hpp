#pragma once

#include <bowhist/core/recipe.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/extract/extract_launch.hpp>

namespace bowhist {

/// Of each picture's candidates on a device those that the host's strongest() keeps.
class DeviceStrongest {
  public:
    DeviceStrongest(Device &device, const Recipe &recipe);

    /// Whether the recipe keeps all.
    bool is_idle() const { return most_ == 0; }
    /// Of so many candidates of so many pictures, at most so many stay.
    std::size_t most_of(std::size_t candidates, std::size_t pictures) const;

    /// @param responses  positive
    /// @param ends  of each picture's candidates, one picture's behind another's
    /// @param kept  1 for each candidate; what does not stay becomes 0
    void keep(Device &device, const Buffer<cl_float> &responses, const Buffer<cl_uint> &ends,
              const Buffer<cl_uint> &kept);

  private:
    cl_uint most_; ///< of a picture; 0: all
    Kernel keep_;
};

} // namespace bowhist
