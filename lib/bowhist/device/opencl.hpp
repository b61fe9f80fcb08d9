#pragma once

// The one place where OpenCL enters; its options are set by the build (lib/CMakeLists.txt).
#include <CL/cl_half.h>
#include <CL/opencl.hpp>

#include <string>

namespace bowhist {

/// Every OpenCL device, in the loader's order; empty when no platform is installed.
std::vector<cl::Device> opencl_devices();

/// "CL_OUT_OF_RESOURCES (-5)".
std::string opencl_error_name(cl_int code);

} // namespace bowhist
