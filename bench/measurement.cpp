#include "bench/measurement.hpp"

#include <bowhist/core/scaled.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace bowhist {

std::string name_of(Roof roof) {
    constexpr std::array names = {"fma", "copy", "matrix"};
    return names[static_cast<std::size_t>(roof)];
}

Spread spread_of(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    const double median =
        values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    return {values.front(), median, values.back()};
}

Spread rate_of(const Measurement &peak) {
    const double amount = peak.work.operations > 0 ? peak.work.operations : peak.work.bytes();
    const Spread &seconds = peak.figures->seconds;
    return {amount / seconds.most, amount / seconds.median, amount / seconds.least};
}

Peaks peaks_of(const std::vector<Measurement> &measurements, Place place) {
    Peaks peaks;
    for (const Measurement &row : measurements)
        for (const Roof roof : {Roof::fma, Roof::copy, Roof::matrix})
            if (row.is_peak() && row.subject.place == place && row.figures &&
                row.subject.level == name_of(roof))
                peaks[roof] = rate_of(row);
    return peaks;
}

std::optional<RoofShare> share_of_roof(const Work &work, double seconds, const Peaks &peaks,
                                       bool matrix_units) {
    std::optional<RoofShare> binding;
    const auto consider = [&](Roof roof, double amount) {
        const auto peak = peaks.find(roof);
        if (amount <= 0 || peak == peaks.end()) return;
        const double fraction = amount / peak->second.median / seconds;
        if (!binding || fraction > binding->fraction)
            binding = RoofShare{roof, fraction, peak->second};
    };
    consider(matrix_units && peaks.contains(Roof::matrix) ? Roof::matrix : Roof::fma,
             work.operations);
    consider(Roof::copy, work.bytes());
    return binding;
}

std::optional<double> predicted_pixels(const Work &work, const Peaks &peaks) {
    if (work.pixels == 0 || !work.kernel_bytes || !peaks.contains(Roof::copy)) return std::nullopt;
    return peaks.at(Roof::copy).median * work.pixels / *work.kernel_bytes;
}

std::size_t resident_groups(std::size_t local_size, std::size_t local_bytes,
                            std::size_t most_work_items, std::size_t most_local_bytes) {
    const std::size_t by_items = most_work_items / local_size;
    return local_bytes == 0 ? by_items : std::min(by_items, most_local_bytes / local_bytes);
}

std::string why_above(const RoofShare &share, const Work &work, std::string_view own,
                      std::uint64_t cache_bytes) {
    if (share.fraction * share.per_second.median <= share.per_second.most)
        return "within the range of the roof's own rounds";
    // A way's own reason is about its operations, or about its loads if it has no operations.
    if (!own.empty() && (share.roof != Roof::copy || work.operations == 0)) return std::string(own);
    const double bytes = work.bytes();
    if (share.roof == Roof::copy && bytes <= static_cast<double>(cache_bytes))
        return fmt::format("all of it, {}B, fits a cache of {}B", scaled(bytes),
                           scaled(static_cast<double>(cache_bytes)));
    if (share.roof == Roof::copy && work.bytes_written < work.bytes_read / 2)
        return "it reads more than it writes; the roof copies, and what is written may cost more";
    if (share.roof == Roof::copy)
        return fmt::format("a part of its {}B may stay in caches (the device reports {}B)",
                           scaled(bytes), scaled(static_cast<double>(cache_bytes)));
    return "no known reason; the clock may be slower under the roof's load";
}

} // namespace bowhist
