#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/group/device_codes.hpp>
#include <bowhist/group/device_neighbors.hpp>
#include <bowhist/group/group_launch.hpp>

#include <functional>
#include <span>

namespace bowhist {

/// The neighbors of all codes on a device, batch after batch of rows.
///
/// A batch is compared with 64 columns first, all of which are candidates, then with as many as it
/// has seen, again and again: as places are mixed, about as many of the next columns are nearer
/// than the last neighbor so far as there are neighbors, and so the places for candidates suffice.
class CodeNeighborSearch {
  public:
    static constexpr std::size_t batch_rows = 1 << 16; ///< whose candidates take 64 MB

    /// @param codes     outlive this
    /// @param products  that the device has
    /// @throws BuildFailure; OutOfMemory
    CodeNeighborSearch(Device &device, const DeviceCodes &codes, std::size_t dimensions,
                       std::size_t most, CodeProducts products);

    /// Gets each batch.
    /// @param first    its first place
    /// @param nearest  a list of `most` for each row: place and product, the most alike first
    /// @param lost     of each row: not 0 where it had too many candidates; its list is wrong
    using Take = std::function<void(std::size_t first, std::span<const cl_uint2> nearest,
                                    std::span<const cl_uint> lost)>;
    void run(Observer &observer, const Take &take);

    /// That the launches of run() took.
    double seconds() const { return seconds_; }

  private:
    void clear(std::size_t rows);
    std::size_t compare(std::size_t first, std::size_t rows, std::size_t seen);
    void launch(const CodePass &pass);

    Device &device_;
    const DeviceCodes &codes_;
    std::size_t most_;
    CodeProducts products_;
    std::size_t batch_; ///< rows, whole groups of any kernel
    std::size_t pairs_; ///< of a launch
    double seconds_ = 0;
    Kernel compare_;
    Kernel keep_;
    Buffer<cl_uint> counts_;      ///< of each row's candidates
    Buffer<cl_uint2> candidates_; ///< [row][CANDIDATES]: place, product
    Buffer<cl_uint2> nearest_;    ///< [row][most]
    Buffer<float> limits_;        ///< below it a column is no candidate
    Buffer<cl_uint> lost_;
};

} // namespace bowhist
