#include "bench/bench.hpp"
#include "bench/peaks.hpp"

#include <bowhist/assign/level.hpp>
#include <bowhist/device/device.hpp>

#include <algorithm>
#include <bit>

namespace bowhist {
namespace {

std::vector<const Operation *> chosen_operations(const BenchRequest &request) {
    std::vector<const Operation *> chosen;
    for (const std::string &id : request.operations) chosen.push_back(&find_operation(id));
    if (chosen.empty())
        for (const Operation &operation : operations()) chosen.push_back(&operation);
    return chosen;
}

std::vector<std::size_t> sizes_for(const Operation &operation, const BenchRequest &request) {
    if (!operation.has_words()) return {0};
    if (request.vocabulary.size() > 0) return {request.vocabulary.size()};
    return request.k;
}

/// The peaks of the places where a row of the group runs.
std::vector<Case> fitting_peaks(std::vector<Case> peaks, const std::vector<Case> &cases) {
    std::erase_if(peaks, [&](const Case &peak) {
        return std::ranges::none_of(cases, [&](const Case &row) {
            return row.run && row.subject.place == peak.subject.place;
        });
    });
    return peaks;
}

} // namespace

std::size_t Scene::most_rows() const {
    if (request.n > 0) return request.n;
    constexpr std::size_t enough_for_a_cpu = std::size_t{1} << 16;
    constexpr std::size_t enough_for_a_gpu = std::size_t{1} << 20;
    if (!device || device->info().kind != DeviceKind::gpu) return enough_for_a_cpu;
    // Each level keeps its own copies of the descriptors.
    const std::uint64_t fit =
        device->info().global_memory / 32 / (sizeof(float) * request.dimensions);
    return std::clamp<std::size_t>(std::bit_floor(fit), 1, enough_for_a_gpu);
}

void run_bench(const BenchRequest &request, Observer &observer,
               const std::function<void(const Group &)> &done) {
    const auto chosen = chosen_operations(request);
    for (const std::string &id : request.levels) find_level(id);
    const bool none_here = request.device.empty() && devices().empty();
    const DeviceOptions options{.selector = request.device, .kernel_dir = request.kernel_dir};
    const auto device = none_here ? nullptr : std::make_shared<Device>(options);
    std::vector<Case> peaks = host_peaks(request.threads);
    if (device) std::ranges::copy(device_peaks(device), std::back_inserter(peaks));
    for (const Operation *operation : chosen)
        for (const std::size_t k : sizes_for(*operation, request)) {
            const std::vector<Case> cases = operation->cases({request, device, observer, k});
            std::vector<Case> together = fitting_peaks(peaks, cases);
            std::ranges::copy(cases, std::back_inserter(together));
            done({operation, k, measure(together, request.rounds, observer)});
        }
}

} // namespace bowhist
