#pragma once

#include <bowhist/ops/scan.hpp>

#include <string>

namespace bowhist {

/// Keeps the elements that pass a predicate, in their order.
///
/// `predicate` is an expression of OpenCL C in `value` and `index`, such as "value > 0.5f". Spaces
/// are dropped from it: they would end a compiler's option. `out` must have room for all that are
/// kept and may not be `in`. Elements are int32, uint32 or float, up to 2³¹ of them.
/// @return how many there are; waits for the device
/// @throws Error{Fault::usage} when a buffer is too small, `size` too large or `out` is `in`;
/// Error{Fault::device} with the compiler's log when the predicate does not compile
template <typename T>
std::size_t compact(Device &device, const Buffer<T> &in, std::size_t size,
                    const std::string &predicate, const Buffer<T> &out, ScanMethod method);

/// The same, keeping the elements whose flag is not zero.
template <typename T>
std::size_t compact(Device &device, const Buffer<T> &in, std::size_t size,
                    const Buffer<std::uint8_t> &flags, const Buffer<T> &out, ScanMethod method);

} // namespace bowhist
