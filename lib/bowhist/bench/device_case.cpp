#include <bowhist/bench/device_case.hpp>
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

} // namespace

Case device_case(Case row, const std::shared_ptr<Device> &device,
                 const std::function<void()> &launch, const std::shared_ptr<Output> &output,
                 const std::function<void()> &forget) {
    row.run = [=] { return time_launches(*device, launch); };
    row.output = output;
    row.check = [=] {
        const ClearedAllocations cleared(*device);
        if (forget) forget();
        output->poison(output->everything());
        launch();
        return Findings{{}, output->mismatches()};
    };
    return row;
}

std::vector<Case> no_device(const std::string &operation) {
    return {not_here({operation, "all", Place::device}, "there is no OpenCL device")};
}

} // namespace bowhist
