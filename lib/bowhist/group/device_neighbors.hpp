#pragma once

#include <bowhist/group/neighbors.hpp>

#include <memory>
#include <optional>
#include <string>

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

} // namespace bowhist
