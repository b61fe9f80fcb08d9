// bowhist-try-drivers LIBRARY...: loads OpenCL's drivers and runs a kernel on each platform, so
// that a driver that kills a process kills this one. Started by the library
// (device/drivers/trial.cpp), which reads from descriptor 3, a line each:
//     load N             the Nth LIBRARY is loaded next
//     missing N REASON   it cannot be loaded, so that the loader ignores it, too
//     ask                the loader is asked for platforms
//     run                a platform runs a kernel
//     done               all of it went well enough: OpenCL's errors are no danger

#include <bowhist/device/opencl.hpp>

#include <csignal>
#include <dlfcn.h>
#include <string>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace {

constexpr int report = 3;

void say(const std::string &line) {
    const std::string whole = line + "\n";
    if (write(report, whole.data(), whole.size()) < 0) _exit(1); // there is no reader
}

/// Ends with the process that started this one, and leaves no core.
void be_a_child() {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const rlimit one_byte = {1, 1}; // 0 would not keep a core from a program that collects them
    setrlimit(RLIMIT_CORE, &one_byte);
}

void load(const std::string &number, const char *library) {
    say("load " + number);
    if (dlopen(library, RTLD_LAZY | RTLD_LOCAL) != nullptr) return;
    std::string reason = dlerror();
    for (char &c : reason)
        if (c == '\n') c = ' ';
    say("missing " + number + " " + reason);
}

void run_kernel(const cl::Platform &platform) {
    std::vector<cl::Device> devices;
    platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
    const cl::Device &device = devices.at(0);
    const cl::Context context(device);
    const cl::Program program(
        context, "kernel void probe(global uint *out) { *out = get_global_id(0) + 1; }", true);
    cl::Kernel kernel(program, "probe");
    const cl::Buffer out(context, CL_MEM_READ_WRITE, sizeof(cl_uint));
    kernel.setArg(0, out);
    const cl::CommandQueue queue(context, device);
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(1), cl::NDRange(1));
    cl_uint found = 0;
    queue.enqueueReadBuffer(out, CL_TRUE, 0, sizeof found, &found);
}

void ask_the_loader() {
    say("ask");
    std::vector<cl::Platform> platforms;
    try {
        cl::Platform::get(&platforms);
    } catch (const cl::Error &) {
        return; // the loader reports "no platform" as an error
    }
    for (const cl::Platform &platform : platforms) {
        say("run");
        try {
            run_kernel(platform);
        } catch (const std::exception &) {
            // no device, or one that is busy: the program meets the same, and says so
        }
    }
}

} // namespace

int main(int count, char **libraries) {
    be_a_child();
    for (int i = 1; i < count; ++i) load(std::to_string(i - 1), libraries[i]);
    ask_the_loader();
    say("done");
    _exit(0); // what drivers do at the end is not on trial
}
