#pragma once

#include "tests/support/levels.hpp"

#include <bowhist/assign/choose/choice.hpp>

#include <algorithm>
#include <latch>
#include <memory>
#include <string>
#include <vector>

namespace bowhist::testing {

/// The first device once more, as a device of its own, which fails at that launch of its work.
/// @param launch  0: never
inline std::shared_ptr<Device> failing_device(std::size_t launch) {
    auto device = std::make_shared<Device>(DeviceOptions{.alone = true});
    if (launch > 0) device->fail_at_launch(launch);
    return device;
}

/// Devices that share work by gpu1. @param fails  the launch at which the last one fails; 0: none
/// does
inline LevelChoice shared_by(std::size_t devices, std::size_t fails, Observer &observer) {
    const auto one = [&](std::size_t launch) {
        return choice_of(find_level("gpu1"), failing_device(launch), {.observer = &observer});
    };
    LevelChoice choice = one(0);
    for (std::size_t i = 1; i < devices; ++i)
        choice.others.push_back(one(i + 1 == devices ? fails : 0));
    return choice;
}

/// Whether the last of them reached the launch at which it fails. Devices take work when they are
/// free, so that a later launch may be another one's.
inline bool last_one_failed(const LevelChoice &choice) {
    return choice.others.back().first_device->failed_at_launch();
}

/// gpu1 on devices that are prepared at once, and say so: the last one first.
class SpeakingLevel {
  public:
    /// @param observer  outlives it
    SpeakingLevel(std::size_t devices, Observer &observer)
        : choice_(shared_by(devices, 0, observer)), level_(*choice_.level) {
        for (const LevelChoice &one : choice_.each()) {
            devices_.push_back(one.first_device);
            spoken_.push_back(std::make_unique<std::latch>(1));
        }
        level_.prepare = [this, plain = level_.prepare](const auto &device, const auto &vocabulary,
                                                        const AssignOptions &options) {
            const auto number =
                static_cast<std::size_t>(std::ranges::find(devices_, device) - devices_.begin());
            if (number + 1 < devices_.size()) spoken_[number + 1]->wait();
            options.observer->note("device " + std::to_string(number));
            options.observer->warning("device " + std::to_string(number));
            if (!spoken_[number]->try_wait()) spoken_[number]->count_down();
            return plain(device, vocabulary, options);
        };
        choice_.level = &level_;
        for (LevelChoice &other : choice_.others) other.level = &level_;
    }
    const LevelChoice &choice() const { return choice_; }

  private:
    LevelChoice choice_;
    Level level_;
    std::vector<std::shared_ptr<Device>> devices_;
    std::vector<std::unique_ptr<std::latch>> spoken_;
};

} // namespace bowhist::testing
