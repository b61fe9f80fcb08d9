// The table that bench prints for people.
#include "app/bench_text.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace bowhist::app {
namespace {

constexpr double milliseconds = 1e3;

/// Four digits and a prefix: "14.47 G".
std::string scaled(double value) {
    constexpr std::array<std::pair<double, const char *>, 4> prefixes = {
        {{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}}};
    for (const auto &[size, prefix] : prefixes)
        if (value >= size) return fmt::format("{:.4g}{}", value / size, prefix);
    return fmt::format("{:.4g}", value);
}

double bytes_per_second(const Work &work, double seconds) {
    return 1e9 * gigabytes_per_second(work, seconds);
}

double operations_per_second(const Work &work, double seconds) {
    return 1e12 * teraflops(work, seconds);
}

std::string range(const Spread &seconds) {
    return fmt::format("{:.4g} ({:.4g} … {:.4g})", milliseconds * seconds.median,
                       milliseconds * seconds.least, milliseconds * seconds.most);
}

std::string roofs_of(const Group &group, Place place) {
    std::string line;
    for (const Measurement &row : group.measurements) {
        if (row.subject.operation != "peak" || row.subject.place != place) continue;
        if (line.empty()) line = fmt::format("  roofs of {}:", row.subject.device);
        if (!row.figures) {
            line += fmt::format(" {} none ({}{})", row.subject.level, row.obstacle, row.error);
            continue;
        }
        const double seconds = row.figures->seconds.median;
        const bool copies = row.work.operations == 0;
        line += fmt::format(" {} {},", row.subject.level,
                            copies ? scaled(bytes_per_second(row.work, seconds)) + "B/s"
                                   : scaled(operations_per_second(row.work, seconds)) + "FLOP/s");
    }
    if (!line.empty() && line.back() == ',') line.back() = '\n';
    return line;
}

std::string level_of(const Subject &subject) {
    return subject.local_size == 0 ? subject.level
                                   : fmt::format("{} /{}", subject.level, subject.local_size);
}

std::string counted(const std::optional<std::uint64_t> &count) {
    return count ? fmt::format("{}", *count) : "";
}

std::string share(const std::optional<RoofShare> &roof) {
    return roof ? fmt::format("{:.1f} % {}", 100 * roof->fraction, name_of(roof->roof)) : "";
}

std::string kernel_rate(const Work &work, double seconds) {
    return work.kernel_bytes ? scaled(*work.kernel_bytes / seconds) : "";
}

constexpr std::string_view columns =
    "{:<10}{:>8}{:>28}{:>9}{:>10}{:>8}{:>8}{:>12}{:>14}{:>10}{:>7}\n";

std::string line_of(const Measurement &row) {
    const std::string level = level_of(row.subject);
    if (!row.obstacle.empty())
        return fmt::format("{:<12}unsupported, because {}\n", level, row.obstacle);
    if (!row.figures) return fmt::format("{:<12}failed: {}\n", level, row.error);
    const Figures &figures = *row.figures;
    const double seconds = figures.seconds.median;
    return fmt::format(columns, level, row.subject.n, range(figures.seconds),
                       fmt::format("{:.4g}", milliseconds * figures.wall_seconds.median),
                       scaled(operations_per_second(row.work, seconds)),
                       scaled(bytes_per_second(row.work, seconds)),
                       fmt::format("{:.4g}", operations_per_byte(row.work)),
                       kernel_rate(row.work, seconds), share(figures.roof),
                       counted(figures.unproven), counted(figures.mismatches));
}

} // namespace

std::string as_table(const Group &group) {
    std::string text = fmt::format("{}: {}\n", group.operation->id, group.operation->idea);
    for (const Measurement &row : group.measurements)
        if (row.subject.operation != "peak") {
            text += row.subject.k > 0
                        ? fmt::format("  k = {}, d = {}\n", row.subject.k, row.subject.d)
                        : fmt::format("  d = {}\n", row.subject.d);
            break;
        }
    text += roofs_of(group, Place::device) + roofs_of(group, Place::host);
    text += fmt::format(columns, "level", "n", "ms (range)", "wall ms", "FLOP/s", "B/s", "OP/B",
                        "loops B/s", "of its roof", "unproven", "wrong");
    for (const Measurement &row : group.measurements)
        if (row.subject.operation != "peak") text += line_of(row);
    return text;
}

} // namespace bowhist::app
