#pragma once

#include <bowhist/device/drivers/trial.hpp>

#include <functional>

namespace bowhist {

/// A driver that ended the process which loaded it, or hung there.
struct BadDriver {
    Driver driver;
    std::string end;     ///< as Trial's
    std::string printed; ///< likewise

    bool operator==(const BadDriver &) const = default;
};

/// Which drivers can be loaded without harm.
struct DriverReport {
    std::vector<Driver> good = {}; ///< together
    std::vector<BadDriver> bad = {};
    std::vector<std::string> missing = {}; ///< a line for each good one that cannot be loaded
    bool is_tried = true;                  ///< no process could be started: taken for good
};

/// Tries all drivers together; takes out the one that is known to have ended a trial, until a trial
/// goes well. If none is known, tries them one by one, each with the good ones before it.
DriverReport sift(std::vector<Driver> drivers,
                  const std::function<std::optional<Trial>(const std::vector<Driver> &)> &try_them);

} // namespace bowhist
