#pragma once

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

} // namespace bowhist
