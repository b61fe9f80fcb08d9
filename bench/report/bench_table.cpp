// The table that bench prints for people.

#include "bench/report/bench_text.hpp"
#include "bench/roof_text.hpp"

#include <bowhist/core/scaled.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <fmt/ranges.h>

namespace bowhist {
namespace {

constexpr double milliseconds = 1e3;

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

std::string peak_of(const Measurement &row) {
    if (!row.figures)
        return fmt::format("no {} ({}{})", row.subject.level, row.obstacle, row.error);
    return peak_text(row);
}

/// A line with the peaks of a place; nothing where none was measured.
std::string roofs_of(const Group &group, Place place) {
    std::vector<std::string> peaks;
    std::string device;
    for (const Measurement &row : group.measurements) {
        if (row.subject.operation != "peak" || row.subject.place != place) continue;
        device = row.subject.device;
        peaks.push_back(peak_of(row));
    }
    if (peaks.empty()) return {};
    return fmt::format("  roofs of {}: {}\n", device, fmt::join(peaks, ", "));
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

std::string prediction(const Work &work) {
    return work.predicted_operations_per_byte
               ? fmt::format("{:.4g}", *work.predicted_operations_per_byte)
               : "";
}

/// A blank before each keeps those apart that are wider than usual.
constexpr std::string_view columns =
    "{:<{}} {:>8} {:>30} {:>9} {:>9} {:>7} {:>7} {:>7} {:>11} {:>13} {:>9} {:>6}\n";

/// Of the first column: the longest level's name.
std::size_t level_width(const Group &group) {
    std::size_t width = 8;
    for (const Measurement &row : group.measurements)
        width = std::max(width, level_of(row.subject).size());
    return width;
}

std::string line_of(const Measurement &row, std::size_t width) {
    const std::string level = level_of(row.subject);
    if (!row.obstacle.empty())
        return fmt::format("{:<{}}  unsupported, because {}\n", level, width, row.obstacle);
    if (!row.figures) return fmt::format("{:<{}}  failed: {}\n", level, width, row.error);
    const Figures &figures = *row.figures;
    const double seconds = figures.seconds.median;
    return fmt::format(columns, level, width, row.subject.n, range(figures.seconds),
                       fmt::format("{:.4g}", milliseconds * figures.wall_seconds.median),
                       scaled(operations_per_second(row.work, seconds)),
                       scaled(bytes_per_second(row.work, seconds)),
                       fmt::format("{:.4g}", operations_per_byte(row.work)), prediction(row.work),
                       kernel_rate(row.work, seconds), share(figures.roof),
                       counted(figures.unproven), counted(figures.mismatches));
}

/// What the columns have no room for: a line for each thing that any row has.
std::string notes_of(const Group &group) {
    std::vector<std::string> groups;
    std::vector<std::string> pixels;
    for (const Measurement &row : group.measurements) {
        const std::string level = level_of(row.subject);
        if (row.subject.resident_groups > 0)
            groups.push_back(fmt::format("{} {}", level, row.subject.resident_groups));
        if (row.figures && row.figures->predicted_pixels_per_second)
            pixels.push_back(fmt::format("{} {:.4g} ({:.4g})", level,
                                         1e-6 * row.work.pixels / row.figures->seconds.median,
                                         1e-6 * *row.figures->predicted_pixels_per_second));
    }
    std::string lines;
    if (!groups.empty())
        lines +=
            fmt::format("  groups that fit a compute unit at once: {}\n", fmt::join(groups, ", "));
    if (!pixels.empty())
        lines += fmt::format("  megapixels/s (predicted by the copy peak): {}\n",
                             fmt::join(pixels, ", "));
    return lines;
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
    const std::size_t width = level_width(group);
    text += fmt::format(columns, "level", width, "n", "ms (range)", "wall ms", "FLOP/s", "B/s",
                        "OP/B", "book's", "loops B/s", "of its roof", "unproven", "wrong");
    for (const Measurement &row : group.measurements)
        if (row.subject.operation != "peak") text += line_of(row, width);
    text += notes_of(group);
    for (const std::string &line : lines_above(group.measurements))
        text += fmt::format("  {}\n", line);
    return text;
}

std::string explained_columns() {
    return "Columns of the table (G is 10^9, M is 10^6):\n"
           "  level        the way of doing it; in groups of 128 work-items: gpu4 /128\n"
           "  n            rows of data, such as descriptors\n"
           "  ms (range)   milliseconds: the median of the rounds, and their range\n"
           "  wall ms      the same by the clock, with transfers to the device and back\n"
           "  FLOP/s       operations a second; a multiply-add is two\n"
           "  B/s          bytes of the problem read and written, a second\n"
           "  OP/B         operations for each byte of the problem\n"
           "  book's       OP/B as the textbook predicts it for this way\n"
           "  loops B/s    bytes a second that the kernel's loops ask of memory and caches\n"
           "  of its roof  how near it is to the peak that binds: fma (arithmetic) or copy\n"
           "               (memory), both measured here\n"
           "  unproven     rows whose word the screen could not prove at first\n"
           "  wrong        results that differ from the reference's: should be 0\n";
}

} // namespace bowhist
