#pragma once

#include <bowhist/device/drivers/sift.hpp>

#include <string>
#include <vector>

namespace bowhist {

/// Something to know of a driver: one line, and one for each that the driver printed.
struct DriverNews {
    std::string line;
    std::vector<std::string> printed = {};
};

/// Kept until it is taken: a caller that asks for devices reports what became of them. Thread-safe.
void add_driver_news(DriverNews news);
std::vector<DriverNews> take_driver_news();
/// The same, as lines. @param advice  that goes with each driver's
std::vector<std::string> lines_about_drivers(const std::string &advice = {});

/// The drivers here, tried once a process, or known from an earlier one. News of bad ones are added
/// (drivers.hpp) by the first call.
/// @throws Error{Fault::interrupted}; the next call then tries them again
const DriverReport &tried_drivers();

/// That a driver is not used, why, and what to do.
DriverNews news_of(const BadDriver &bad);

/// Loads the good drivers; the loader sees no others from now on. Belongs before any other call of
/// OpenCL's.
/// @return false where no driver may be loaded: OpenCL must not be called @throws the same
bool load_good_drivers();

/// Whether it was called, and loaded some, or does so now. For signal handlers, too.
bool has_loaded_drivers();

} // namespace bowhist
