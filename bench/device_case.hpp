#pragma once

#include "bench/device_output.hpp"
#include "bench/rounds.hpp"
#include "bench/scene.hpp"

#include <memory>

namespace bowhist {

inline constexpr const char *no_device = "there is no OpenCL device";

/// A row on images: n is the number of their rows, d their width.
template <typename T>
Case image_row(const DeviceImages<T> &images, const Work &work, const std::string &level = {}) {
    return {.subject = {.level = level, .n = images.rows(), .d = images.width}, .work = work};
}

/// Completes the row of a way that `launch` does on a device: a round times it. After the last
/// round it runs once more, untimed, into a poisoned output, all of which is compared.
///
/// For that run the device clears the memory that it allocates, and `forget` releases or clears
/// what the ways share, so no right value lies where a kernel should write it.
Case device_case(Case row, const std::shared_ptr<Device> &device,
                 const std::function<void()> &launch, const std::shared_ptr<Output> &output,
                 const std::function<void()> &forget = {});

/// A row for each method, named after it.
template <typename Methods, typename Launch>
std::vector<Case> method_cases(const Scene &scene, Case row, const Methods &methods,
                               const std::shared_ptr<Output> &output, const Launch &launch,
                               const std::string &suffix = "") {
    std::vector<Case> cases;
    for (const auto method : methods) {
        row.subject.level = std::string(name_of(method)) + suffix;
        cases.push_back(device_case(
            row, scene.device, [=] { launch(method); }, output));
    }
    return cases;
}

/// As device_case(), for a way that `work` does on the host.
Case host_case(Case row, const std::function<void()> &work, const std::shared_ptr<Output> &output);

/// The rows of plain C++, on one thread ("host-serial") and on all requested threads
/// ("host-threads"). They change nothing but their output. `row` names the problem.
std::vector<Case> host_cases(const Scene &scene, Case row, const std::string &suffix,
                             const std::function<void(int threads)> &work,
                             const std::shared_ptr<Output> &output);

/// The case that `make` makes, or the reason why it cannot: a kernel does not build, or the size
/// does not suit.
Case prepared(const Subject &subject, const std::function<Case()> &make);

/// As many rows as a round has time for (Scene::round_seconds), found by running more and more.
/// @param run  runs a number of rows and returns the seconds that they took
std::size_t fitting_rows(std::size_t most, const std::function<double(std::size_t)> &run,
                         std::size_t least = 1024);

} // namespace bowhist
