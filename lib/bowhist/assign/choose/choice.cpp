#include <bowhist/assign/choose/auto_choice.hpp>
#include <bowhist/assign/choose/candidates.hpp>
#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/assign/choose/own_kernels.hpp>
#include <bowhist/assign/choose/synthetic.hpp>
#include <bowhist/assign/host_advice.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/device/device.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace bowhist {
namespace {

std::string levels_that_run(const Device *device, std::size_t dimensions, std::size_t k) {
    std::vector<std::string_view> ids;
    for (const Level &level : levels())
        if (!level.obstacle(device, dimensions, k)) ids.push_back(level.id);
    return fmt::format("{}", fmt::join(ids, ", "));
}

} // namespace

std::unique_ptr<Assigner> LevelChoice::prepare(const Vocabulary &vocabulary) const {
    const auto make = [&] {
        auto assigner =
            advising_host_levels([&] { return level->prepare(device(), vocabulary, options); });
        if (device() && device()->has_own_kernels())
            require_words_of_the_rule(*assigner, vocabulary);
        return assigner;
    };
    return rephrasing(make,
                      [&](const char *what) { return fmt::format("{}: {}", level->id, what); });
}

std::string LevelChoice::name() const {
    return fmt::format("{} on {}", level->id, device() ? device()->info().name : "the host");
}

LevelChoice choice_of(const Level &level, const std::shared_ptr<Device> &device,
                      const AssignOptions &options) {
    LevelChoice choice{.level = &level, .options = options};
    if (level.on_device) choice.devices.push_back(device);
    return choice;
}

LevelChoice choose_level(const LevelRequest &request, std::size_t dimensions, std::size_t k) {
    if (request.level == "auto") return choose_auto(request, dimensions, k);
    const Level &level = find_level(request.level);
    const std::shared_ptr<Device> device =
        level.on_device ? advising_host_levels([&] { return open_device(request); }) : nullptr;
    if (const auto obstacle = level.obstacle(device.get(), dimensions, k))
        throw Error(Fault::device,
                    fmt::format("{} cannot run here: {}; use --kernel {}", level.id, *obstacle,
                                levels_that_run(device.get(), dimensions, k)));
    return choice_of(level, device, request.options);
}

std::vector<LevelStatus> survey_levels(const LevelRequest &request, std::size_t dimensions,
                                       std::size_t k) {
    const bool none_here = request.device.empty() && devices().empty();
    const std::shared_ptr<Device> device = none_here ? nullptr : open_device(request);
    const Vocabulary words = synthetic_vocabulary({}, k, dimensions);
    std::vector<LevelStatus> statuses;
    for (const Level &level : levels()) {
        LevelStatus status{&level, level.obstacle(device.get(), dimensions, k),
                           std::string(level.source)};
        try {
            if (!status.obstacle)
                status.source = level.prepare(device, words, request.options)->report().source;
        } catch (const Error &error) {
            if (error.fault != Fault::device) throw;
            status.obstacle = error.what();
        }
        statuses.push_back(std::move(status));
    }
    return statuses;
}

} // namespace bowhist
