#include <bowhist/device/drivers/sift.hpp>

#include <bowhist/core/printable.hpp>

#include <fmt/format.h>

namespace bowhist {
namespace {

using TryThem = std::function<std::optional<Trial>(const std::vector<Driver> &)>;

BadDriver bad_driver(const Driver &driver, const Trial &trial) {
    return {driver, trial.end, trial.printed};
}

std::vector<std::string> lines_of_missing(const std::vector<Driver> &drivers, const Trial &trial) {
    std::vector<std::string> lines;
    for (const auto &[number, reason] : trial.missing)
        if (number < drivers.size())
            lines.push_back(fmt::format("the OpenCL driver {} cannot be loaded ({})",
                                        drivers[number].name(), excerpt(reason)));
    return lines;
}

void sift_one_by_one(const std::vector<Driver> &drivers, const TryThem &try_them,
                     DriverReport &report) {
    for (const Driver &driver : drivers) {
        std::vector<Driver> more = report.good;
        more.push_back(driver);
        const auto trial = try_them(more);
        if (!trial || trial->went_well()) {
            report.good = more;
            report.missing = trial ? lines_of_missing(more, *trial) : report.missing;
        } else {
            report.bad.push_back(bad_driver(driver, *trial));
        }
    }
}

} // namespace

DriverReport sift(std::vector<Driver> drivers, const TryThem &try_them) {
    DriverReport report;
    while (!drivers.empty()) {
        const auto trial = try_them(drivers);
        report.is_tried = trial.has_value();
        if (!trial || trial->went_well()) {
            report.good = drivers;
            if (trial) report.missing = lines_of_missing(drivers, *trial);
            return report;
        }
        const std::size_t culprit =
            drivers.size() == 1 ? 0 : trial->culprit.value_or(drivers.size());
        if (culprit >= drivers.size()) {
            sift_one_by_one(drivers, try_them, report);
            return report;
        }
        report.bad.push_back(bad_driver(drivers[culprit], *trial));
        drivers.erase(drivers.begin() + static_cast<std::ptrdiff_t>(culprit));
    }
    return report;
}

} // namespace bowhist
