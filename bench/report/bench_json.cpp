// The lines that bench prints for scripts.

#include "bench/report/bench_text.hpp"

#include <nlohmann/json.hpp>

namespace bowhist {
namespace {

using Json = nlohmann::ordered_json;

template <typename Value>
Json or_null(const std::optional<Value> &value) {
    return value ? Json(*value) : Json();
}

Json or_null(const std::string &text) {
    return text.empty() ? Json() : Json(text);
}

Json whole(double value) {
    return static_cast<std::uint64_t>(value);
}

Json spread(const Spread &values) {
    return {values.least, values.most};
}

Json object_of(const Measurement &row) {
    const Subject &subject = row.subject;
    const Figures figures = row.figures.value_or(Figures{});
    const double seconds = figures.seconds.median;
    const auto measured = [&](Json value) { return row.figures ? std::move(value) : Json(); };
    const auto roof = figures.roof;
    return {
        {"operation", subject.operation},
        {"level", subject.level},
        {"device", subject.device},
        {"n", subject.n},
        {"k", subject.k},
        {"d", subject.d},
        {"median_seconds", measured(seconds)},
        {"spread", measured(spread(figures.seconds))},
        {"bytes_read", measured(whole(row.work.bytes_read))},
        {"bytes_written", measured(whole(row.work.bytes_written))},
        {"kernel_bytes", row.work.kernel_bytes ? measured(whole(*row.work.kernel_bytes)) : Json()},
        {"operations", measured(whole(row.work.operations))},
        {"gigabytes_per_second", measured(gigabytes_per_second(row.work, seconds))},
        {"teraflops", measured(teraflops(row.work, seconds))},
        {"roof", roof ? Json(name_of(roof->roof)) : Json()},
        {"fraction_of_peak", roof ? Json(roof->fraction) : Json()},
        {"unproven", or_null(figures.unproven)},
        {"mismatches", or_null(figures.mismatches)},
        {"local_size", subject.local_size == 0 ? Json() : Json(subject.local_size)},
        {"rounds", measured(figures.rounds)},
        {"wall_seconds", measured(figures.wall_seconds.median)},
        {"wall_spread", measured(spread(figures.wall_seconds))},
        {"operations_per_byte", measured(operations_per_byte(row.work))},
        {"predicted_operations_per_byte", row.work.predicted_operations_per_byte
                                              ? measured(*row.work.predicted_operations_per_byte)
                                              : Json()},
        {"resident_groups", subject.resident_groups == 0 ? Json() : Json(subject.resident_groups)},
        {"megapixels_per_second",
         row.work.pixels > 0 ? measured(1e-6 * row.work.pixels / seconds) : Json()},
        {"predicted_megapixels_per_second", figures.predicted_pixels_per_second
                                                ? Json(1e-6 * *figures.predicted_pixels_per_second)
                                                : Json()},
        {"roof_spread", roof ? spread(roof->per_second) : Json()},
        {"above_roof", roof ? or_null(roof->above) : Json()},
        {"unsupported", or_null(row.obstacle)},
        {"error", or_null(row.error)},
    };
}

} // namespace

std::string as_json_lines(const Group &group) {
    std::string lines;
    for (const Measurement &row : group.measurements)
        lines +=
            object_of(row).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    return lines;
}

} // namespace bowhist
