#include "app/report_level.hpp"

#include <fmt/format.h>

namespace bowhist::app {

void note_report(Observer &observer, const std::string &level, const AssignmentReport &report) {
    std::string kernels;
    for (const auto &[name, time] : report.kernels)
        kernels += fmt::format(" {} {:.3f} ms in {} launch{},", name, 1e3 * time.seconds,
                               time.launches, time.launches == 1 ? "" : "es");
    const double share = report.rows == 0 ? 0
                                          : 100.0 * static_cast<double>(report.unproven) /
                                                static_cast<double>(report.rows);
    observer.note(fmt::format(
        "{}: {} descriptors, {} of them ({:.3f} %) decided by the float64 rule;{} "
        "wall {:.3f} ms",
        level, report.rows, report.unproven, share, kernels, 1e3 * report.wall_seconds));
}

void warn_of_unused_kernels(const LevelRequest &request, const LevelChoice &level,
                            Observer &observer) {
    if (request.kernel_dir.empty() || level.level->on_device) return;
    observer.warning(
        fmt::format("--kernel-dir has no effect: {} runs no kernels; choose a level that "
                    "does, such as --kernel gpu1",
                    level.name()));
}

} // namespace bowhist::app
