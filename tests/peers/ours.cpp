// Our levels, through the table that users choose from.
#include "tests/peers/contender.hpp"

#include <bowhist/assign/level.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/device/kernel_source.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace bowhist::peers {
namespace {

using DevicePointer = std::shared_ptr<Device>;

Contender contender(const Level &level, const DevicePointer &device, const Problem &problem,
                    const std::string &remark = {}) {
    AssignOptions options;
    options.threads = problem.threads;
    const auto assigner = std::shared_ptr(level.prepare(device, problem.vocabulary, options));
    const auto result = std::make_shared<Assignment>();
    return {std::string(level.id) + remark,
            [=, &problem] {
                *result = assigner->run({problem.descriptors.values, {}, 1});
            },
            [result] { return result->words; }};
}

DevicePointer first_device() {
    return devices().empty() ? nullptr : std::make_shared<Device>(DeviceOptions{});
}

std::vector<const Level *> levels_on(const Device *device, const Problem &problem) {
    std::vector<const Level *> able;
    for (const Level &level : levels())
        if (level.on_device &&
            !level.obstacle(device, problem.vocabulary.dimensions, problem.vocabulary.size()))
            able.push_back(&level);
    return able;
}

/// An option that PoCL adds to every program built while this lives.
class PoclBuildFlags {
  public:
    explicit PoclBuildFlags(const char *flags) { ::setenv("POCL_EXTRA_BUILD_FLAGS", flags, 1); }
    ~PoclBuildFlags() { ::unsetenv("POCL_EXTRA_BUILD_FLAGS"); }
    PoclBuildFlags(const PoclBuildFlags &) = delete;
    PoclBuildFlags &operator=(const PoclBuildFlags &) = delete;
};

} // namespace

std::vector<Contender> host_levels(const Problem &problem) {
    std::vector<Contender> contenders;
    for (const Level &level : levels())
        if (!level.on_device && &level != &levels().front() &&
            !level.obstacle(nullptr, problem.vocabulary.dimensions, problem.vocabulary.size()))
            contenders.push_back(contender(level, nullptr, problem));
    return contenders;
}

std::vector<Contender> device_levels(const Problem &problem) {
    const DevicePointer device = first_device();
    std::vector<Contender> contenders;
    for (const Level *level : levels_on(device.get(), problem))
        contenders.push_back(contender(*level, device, problem));
    return contenders;
}

bool holds_the_rule(const Level &level, const DevicePointer &device, const Problem &problem) {
    const std::string file = level.prepare(device, problem.vocabulary, {})->report().source;
    return kernel_source(file).find("squared_distance(") != std::string::npos;
}

std::vector<Contender> relaxed_levels(const Problem &problem) {
    const DevicePointer device = first_device();
    if (!device || device->info().platform != "Portable Computing Language") return {};
    // A device keeps what it has built: decide.cl comes before the option, the level after. A level
    // whose own file holds the rule cannot be relaxed.
    std::vector<const Level *> able = levels_on(device.get(), problem);
    std::erase_if(able,
                  [&](const Level *level) { return holds_the_rule(*level, device, problem); });
    std::vector<DevicePointer> own(able.size());
    for (DevicePointer &one : own) {
        one = first_device();
        one->kernel("decide.cl", "decide",
                    fmt::format("-DDIMENSIONS={}", problem.vocabulary.dimensions));
    }
    const PoclBuildFlags relaxed("-cl-fast-relaxed-math");
    std::vector<Contender> contenders;
    for (std::size_t l = 0; l < able.size(); ++l)
        contenders.push_back(contender(*able[l], own[l], problem, ", relaxed math"));
    return contenders;
}

std::vector<std::int32_t> words_by_the_rule(const Problem &problem, std::size_t rows) {
    const std::size_t sample = std::min(rows, problem.descriptors.size());
    const std::span<const float> values(problem.descriptors.values);
    return levels()
        .front()
        .prepare(nullptr, problem.vocabulary, {})
        ->run({values.first(sample * problem.descriptors.dimensions), {}, 1})
        .words;
}

} // namespace bowhist::peers
