#pragma once

#include <bowhist/core/integer_rows.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/group/group_launch.hpp>
#include <bowhist/group/neighbors.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

class Device;

/// The ways in which a device multiplies codes.
enum class CodeProducts {
    plain,  ///< OpenCL C, anywhere
    dot,    ///< four products in an instruction (NVIDIA, from 6.1 on)
    matrix, ///< matrix units (NVIDIA, from 8.0 on)
};

/// The name in messages: "plain".
std::string name_of(CodeProducts products);

/// Whether values are from -128 to 127.
bool are_codes(const IntegerRows &rows);

/// Why the device cannot find neighbors of these rows; nothing where it can. Rows must be
/// codes.
std::optional<std::string> neighbors_obstacle(const Device &device, const IntegerRows &rows,
                                              std::size_t most);

/// The fastest way to multiply codes of that many dimensions that gave the same neighbors on the
/// device as on the host when it was first tried there; nothing where none did.
std::optional<CodeProducts> best_products(Device &device, std::size_t dimensions);

/// The same neighbors as nearest_neighbors(), bit for bit, found by a device. All pairs are
/// multiplied there. A screen in floats leaves few of each row, and these are compared exactly,
/// there, too. Rows with more of them than a device has places for, since many rows are equally
/// alike, are left to the host.
///
/// On the device it takes as many bytes as the codes have, and about 100 MB. Reports progress as
/// "neighbors".
/// REQUIRES: no obstacle, and `products` that the device has
/// @throws Error{Fault::interrupted}; Error{Fault::device}, also where lists have gaps
Neighbors device_neighbors(const IntegerRows &rows, std::size_t most, Observer &observer,
                           Device &device, CodeProducts products);

/// Finds neighbors by the device where it can, and by the host where it cannot or fails; the
/// observer gets a note or a warning then.
/// @param device  null: by the host
FindNeighbors neighbors_on(std::shared_ptr<Device> device);

/// Codes on a device, in places of their own: so mixed that rows which are alike are spread
/// evenly, whatever their order was. Rows of zeros are left out. Behind the last code are codes of
/// zeros, for whole tiles.
struct DeviceCodes {
    std::vector<std::uint32_t> rows; ///< of each place
    Buffer<std::int8_t> values;      ///< [place][slice]
    Buffer<float> inverse_norms;     ///< 1/norm, rounded; 0 behind the last
    Buffer<cl_int> squared_norms;    ///< of each place
    Buffer<cl_uint> numbers;         ///< `rows`

    std::size_t size() const { return rows.size(); }
};

/// Bytes of a code on a device.
std::size_t code_bytes(std::size_t dimensions);

/// @throws Error{Fault::device}, OutOfMemory
DeviceCodes upload_codes(Device &device, const IntegerRows &rows,
                         std::span<const std::int32_t> squared_norms);

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
