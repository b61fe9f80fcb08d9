#pragma once

#include <bowhist/device/drivers/driver.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bowhist {

/// The effect of drivers on a process that loaded them.
struct Trial {
    /// "aborts", "exits with status 3", "crashes (SIGSEGV)", "does not answer within 5 s"; empty:
    /// nothing of that.
    std::string end = {};
    std::optional<std::size_t> culprit = {}; ///< the driver that was being loaded at that end
    std::vector<std::pair<std::size_t, std::string>> missing = {}; ///< not to be loaded, and why
    std::string printed = {};                                      ///< on both standard streams

    bool went_well() const { return end.empty(); }
};

/// A variable of the environment and its value; without one it is unset.
using Setting = std::pair<std::string, std::optional<std::string>>;

/// Loads drivers in a process of its own (bowhist-try-drivers) and runs a kernel on each platform
/// there. A process that takes 5 s to load one, or to list devices, is killed, with what it
/// started; one that runs a kernel after 20 s. The variable BOWHIST_DRIVER_SECONDS stands in for
/// the 5.
/// @param drivers  all that the loader finds there
/// @param settings  of that process's environment, beside the caller's
/// @return nothing where no process can be started: no more processes, or not installed
/// @throws Error{Fault::interrupted}, as soon as set_trial_interruption()'s function says so
std::optional<Trial> try_together(const std::vector<Driver> &drivers,
                                  const std::vector<Setting> &settings);

/// Asked ten times a second and after each signal while drivers are tried; null: nothing is.
void set_trial_interruption(bool (*requested)());

} // namespace bowhist
