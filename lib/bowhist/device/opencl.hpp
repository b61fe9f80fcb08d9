// The one place where OpenCL enters; its options are set by the build (lib/CMakeLists.txt).

#pragma once

#include <bowhist/core/error.hpp>

#include <CL/cl_half.h>
#include <CL/opencl.hpp>

#include <string>

namespace bowhist {

/// A kernel that a device's compiler refuses; `detail` is the compiler's log.
class BuildFailure : public Error {
  public:
    explicit BuildFailure(const std::string &message, std::string log = {})
        : Error(Fault::device, message, std::move(log)) {}
};

/// A driver that refuses a kernel in groups of a size, which its source demands. Built for smaller
/// ones it may run.
class RefusedGroup : public Error {
  public:
    explicit RefusedGroup(const std::string &message) : Error(Fault::device, message) {}
};

/// Every OpenCL device, in the loader's order; empty when no platform is installed. The one way
/// into OpenCL: drivers are tried first in a process of their own, and those that would kill this
/// one are left out (drivers/drivers.hpp).
/// @throws Error{Fault::interrupted} while they are tried
std::vector<cl::Device> opencl_devices();

/// "CL_OUT_OF_RESOURCES (-5)".
std::string opencl_error_name(cl_int code);

} // namespace bowhist
