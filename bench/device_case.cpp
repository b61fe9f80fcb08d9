#include "bench/device_case.hpp"
#include "bench/peaks.hpp"

#include <bowhist/device/device.hpp>
#include <bowhist/device/opencl.hpp>

#include <algorithm>

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

/// Runs a way into an output without any right value, and compares all of it.
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

Case host_case(Case row, const std::function<void()> &work, const std::shared_ptr<Output> &output) {
    row.subject.place = Place::host;
    row.output = output;
    row.run = [work] { return time_on_host(work); };
    row.check = [work, output] { return compared(work, *output); };
    return row;
}

std::vector<Case> host_cases(const Scene &scene, Case row, const std::string &suffix,
                             const std::function<void(int threads)> &work,
                             const std::shared_ptr<Output> &output) {
    std::vector<Case> cases;
    for (const auto &[level, threads] :
         {std::pair{"host-serial", 1}, {"host-threads", thread_count(scene.request.threads)}}) {
        row.subject.level = level + suffix;
        cases.push_back(host_case(
            row, [work, threads = threads] { work(threads); }, output));
    }
    return cases;
}

Case prepared(const Subject &subject, const std::function<Case()> &make) {
    try {
        return make();
    } catch (const BuildFailure &error) {
        return failed(subject, error);
    } catch (const Error &error) { // the size does not suit
        if (error.fault != Fault::device) throw;
        return not_here(subject, error.what());
    }
}

std::size_t fitting_rows(std::size_t most, const std::function<double(std::size_t)> &run,
                         std::size_t least) {
    constexpr std::size_t growth = 4;
    std::size_t rows = std::min(least, most);
    run(rows); // the first run may still compile
    while (rows < most) {
        const std::size_t more = std::min(rows * growth, most);
        const double factor = static_cast<double>(more) / static_cast<double>(rows);
        // the quicker of two, so that an interruption does not count
        if (std::min(run(rows), run(rows)) * factor > Scene::round_seconds) break;
        rows = more;
    }
    return rows;
}

} // namespace bowhist
