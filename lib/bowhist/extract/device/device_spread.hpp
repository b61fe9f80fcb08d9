#pragma once

#include <bowhist/core/recipe.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/extract/extract_launch.hpp>

namespace bowhist {

/// Keeps each image's strongest candidates on a device, the recipe's strongest_share() of them. One
/// thread at a time.
class DeviceStrongest {
  public:
    DeviceStrongest(Device &device, const Recipe &recipe);

    /// Whether the recipe keeps all candidates; keep() is then not to be called.
    bool is_idle() const { return most_ == 0; }

    /// Upper bound on the candidates kept, with those that the cells of a grid take.
    std::size_t most_of(std::size_t candidates, std::size_t images) const;

    /// Queued; waits for nothing. The buffers are the caller's.
    /// @param responses  one for each candidate, positive; those of one image lie together
    /// @param ends  one for each image: the index behind its last candidate
    /// @param kept  1 for each candidate; becomes 0 for one that is not kept
    void keep(Device &device, const Buffer<cl_float> &responses, const Buffer<cl_uint> &ends,
              const Buffer<cl_uint> &kept);

  private:
    cl_uint most_;  ///< candidates kept of an image, with those of cells; 0: all
    cl_uint share_; ///< of these the strongest
    Kernel keep_;   ///< not built where all are kept
};

/// Keeps, beside each image's strongest candidates, those that the cells of a grid take, on a
/// device: the same as kept_places(). One thread at a time.
class DeviceSpread {
  public:
    DeviceSpread(Device &device, const Recipe &recipe);

    /// Whether the recipe has no grid, or keeps all candidates; keep() is then not to be called.
    bool is_idle() const { return side_ == 0; }

    /// Cells along each side of the grid.
    cl_int side() const { return side_; }

    /// Queued; waits for nothing. The buffers are the caller's.
    /// REQUIRES: DeviceStrongest::keep left `kept`
    /// @param responses  one for each candidate, positive; those of one image lie together
    /// @param cells  the cell of each candidate
    /// @param ends  one for each image: the index behind its last candidate
    /// @param kept  1 for each candidate that stays, else 0; becomes 1 for those that cells take
    void keep(Device &device, const Buffer<cl_float> &responses, const Buffer<cl_uchar> &cells,
              const Buffer<cl_uint> &ends, const Buffer<cl_uint> &kept);

  private:
    cl_int side_;
    cl_uint most_; ///< candidates that the cells of an image take
    Kernel keep_;  ///< not built where there is no grid
};

} // namespace bowhist
