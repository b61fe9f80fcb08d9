#include <bowhist/device/opencl.hpp>

#include <bowhist/core/default_floats.hpp>
#include <bowhist/device/drivers/drivers.hpp>
#include <bowhist/device/pocl_cache.hpp>

#include <fmt/format.h>

#include <csignal>
#include <map>

namespace bowhist {
namespace {

/// While it lives, the signals that ask a program to end wait for its thread; threads made
/// meanwhile, and the programs that those start, never get them.
///
/// PoCL's threads start a linker. Ctrl-C goes to every program of a terminal, and PoCL aborts the
/// process when its linker ends unfinished.
class SignalsHeld {
  public:
    SignalsHeld() {
        sigset_t held;
        sigemptyset(&held);
        for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&held, signal);
        pthread_sigmask(SIG_BLOCK, &held, &before_);
    }
    ~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsHeld(const SignalsHeld &) = delete;
    SignalsHeld &operator=(const SignalsHeld &) = delete;

  private:
    sigset_t before_{};
};

} // namespace

std::vector<cl::Device> opencl_devices() {
    pocl_cache();
    tried_drivers(); // while signals arrive
    // The threads that an implementation makes here inherit both.
    const DefaultFloats floats;
    const SignalsHeld signals;
    std::vector<cl::Device> found;
    if (!load_good_drivers()) return found;
    std::vector<cl::Platform> platforms;
    try {
        cl::Platform::get(&platforms);
    } catch (const cl::Error &) {
        return found; // the loader reports "no platform" as an error
    }
    for (const cl::Platform &platform : platforms) {
        std::vector<cl::Device> devices;
        try {
            platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
        } catch (const cl::Error &) {
            continue; // a platform without devices
        }
        found.insert(found.end(), devices.begin(), devices.end());
    }
    return found;
}

std::string opencl_error_name(cl_int code) {
    static const std::map<cl_int, const char *> names = {
        {CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE"},
        {CL_COMPILER_NOT_AVAILABLE, "CL_COMPILER_NOT_AVAILABLE"},
        {CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
        {CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES"},
        {CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY"},
        {CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE"},
        {CL_INVALID_VALUE, "CL_INVALID_VALUE"},
        {CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE"},
        {CL_INVALID_KERNEL_NAME, "CL_INVALID_KERNEL_NAME"},
        {CL_INVALID_KERNEL_ARGS, "CL_INVALID_KERNEL_ARGS"},
        {CL_INVALID_ARG_SIZE, "CL_INVALID_ARG_SIZE"},
        {CL_INVALID_ARG_INDEX, "CL_INVALID_ARG_INDEX"},
        {CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE"},
        {CL_INVALID_COMMAND_QUEUE, "CL_INVALID_COMMAND_QUEUE"},
    };
    const auto name = names.find(code);
    return fmt::format("{} ({})", name == names.end() ? "OpenCL error" : name->second, code);
}

} // namespace bowhist
