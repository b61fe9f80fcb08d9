#pragma once

#include "bench/rounds.hpp"
#include "bench/scene.hpp"

#include <memory>

namespace bowhist {

/// Completes the row of a way that `launch` does on a device: a round times it. When all rounds are
/// over, it runs once more, unclocked, into a poisoned output, of which everything is compared.
///
/// For that run the device clears the memory that it hands out, and `forget` lets go of what the
/// ways share besides: nothing then lies where a kernel should have written it.
Case device_case(Case row, const std::shared_ptr<Device> &device,
                 const std::function<void()> &launch, const std::shared_ptr<Output> &output,
                 const std::function<void()> &forget = {});

/// The same of a way that `work` does on the host. `row` names the way.
Case host_case(const Scene &scene, Case row, const std::function<void()> &work,
               const std::shared_ptr<Output> &output);

/// The rows of plain C++, on one thread ("host-serial") and on all that were asked for
/// ("host-threads"); they leave nothing behind but their output. `row` names the problem.
std::vector<Case> host_cases(const Scene &scene, Case row, const std::string &suffix,
                             const std::function<void(int threads)> &work,
                             const std::shared_ptr<Output> &output);

/// What the case's maker makes, or why it cannot: a kernel does not build, or the size does not
/// suit.
Case prepared(const Subject &subject, const std::function<Case()> &make);

/// As many rows as a round has time for (Scene::round_seconds), found by running more and more.
/// @param run  of so many rows, returns the seconds that they took
std::size_t fitting_rows(std::size_t most, const std::function<double(std::size_t)> &run,
                         std::size_t least = 1024);

/// What stands in the device column.
std::string name_of_place(const Scene &scene, Place place);

/// The one row of an operation where there is no device.
std::vector<Case> no_device(const std::string &operation);

} // namespace bowhist
