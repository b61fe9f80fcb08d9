#include <bowhist/bench/device_case.hpp>
#include <bowhist/bench/peaks.hpp>
#include <bowhist/device/device.hpp>

namespace bowhist {
namespace {

/// While it lives, the device clears what it allocates.
class ClearedAllocations {
  public:
    explicit ClearedAllocations(Device &device) : device_(device) {
        device_.clear_allocations(true);
    }
    ClearedAllocations(const ClearedAllocations &) = delete;
    ClearedAllocations &operator=(const ClearedAllocations &) = delete;
    ~ClearedAllocations() { device_.clear_allocations(false); }

  private:
    Device &device_;
};

/// Runs a way into an output that holds nothing right, and compares all of it.
Findings compared(const std::function<void()> &work, Output &output) {
    output.poison(output.everything());
    work();
    return {{}, output.mismatches()};
}

} // namespace

Case device_case(Case row, const std::shared_ptr<Device> &device,
                 const std::function<void()> &launch, const std::shared_ptr<Output> &output,
                 const std::function<void()> &forget) {
    row.run = [=] { return time_launches(*device, launch); };
    row.output = output;
    row.check = [=] {
        const ClearedAllocations cleared(*device);
        if (forget) forget();
        return compared(launch, *output);
    };
    return row;
}

std::vector<Case> host_cases(const Scene &scene, Case row, const std::string &suffix,
                             const std::function<void(int threads)> &work,
                             const std::shared_ptr<Output> &output) {
    std::vector<Case> cases;
    for (const auto &[level, threads] :
         {std::pair{"host-serial", 1}, {"host-threads", thread_count(scene.request.threads)}}) {
        row.subject.level = level + suffix;
        row.subject.place = Place::host;
        row.subject.device = host_name(scene.request.threads);
        row.output = output;
        row.run = [work, threads = threads] { return time_on_host([&] { work(threads); }); };
        row.check = [work, output, threads = threads] {
            return compared([&] { work(threads); }, *output);
        };
        cases.push_back(row);
    }
    return cases;
}

std::vector<Case> no_device(const std::string &operation) {
    return {not_here({operation, "all", Place::device}, "there is no OpenCL device")};
}

} // namespace bowhist
