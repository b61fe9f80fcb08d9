#include "bench/report/columns.hpp"

#include <bowhist/core/scaled.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace bowhist {
namespace {

using Json = nlohmann::ordered_json;

Json as_json(const auto &value) {
    return value;
}
Json as_json(const Spread &value) {
    return {value.least, value.most};
}
Json as_json(const std::string &text) {
    return text.empty() ? Json() : Json(text);
}
template <typename Value>
Json as_json(const std::optional<Value> &value) {
    return value ? as_json(*value) : Json();
}

/// Empty for what was not counted.
std::optional<double> positive(double value) {
    return value > 0 ? std::optional(value) : std::nullopt;
}
std::optional<std::uint64_t> whole(std::optional<double> value) {
    return value ? std::optional(static_cast<std::uint64_t>(*value)) : std::nullopt;
}

// Each takes a member or a function of a part of a row, and returns a column's value.

auto of_subject(auto part) {
    return [=](const Measurement &row) { return Json(std::invoke(part, row.subject)); };
}
auto of_row(auto part) {
    return [=](const Measurement &row) { return as_json(std::invoke(part, row)); };
}
auto measured(auto part) {
    return [=](const Measurement &row) {
        return row.figures ? as_json(std::invoke(part, row.work, *row.figures)) : Json();
    };
}
auto of_figures(auto part) {
    return measured(
        [=](const Work &, const Figures &figures) { return std::invoke(part, figures); });
}
auto of_work(auto part) {
    return measured([=](const Work &work, const Figures &) { return std::invoke(part, work); });
}
auto count_of(auto part) {
    return of_work([=](const Work &work) { return whole(std::invoke(part, work)); });
}
auto rate(auto of_work_in_seconds) {
    return measured([=](const Work &work, const Figures &figures) {
        return of_work_in_seconds(work, figures.seconds.median);
    });
}
auto of_roof(auto part) {
    return of_figures([=](const Figures &figures) {
        return figures.roof ? as_json(std::invoke(part, *figures.roof)) : Json();
    });
}

/// Four digits of the value times `factor`.
auto four_digits(double factor) {
    return [=](const Json &value, const Measurement &) {
        return fmt::format("{:.4g}", factor * value.get<double>());
    };
}

/// The same with a prefix for the unit in the heading.
auto prefixed(double factor) {
    return [=](const Json &value, const Measurement &) {
        return scaled(factor * value.get<double>());
    };
}

std::string show_level(const Json &value, const Measurement &row) {
    const std::size_t size = row.subject.local_size;
    return value.get<std::string>() + (size == 0 ? "" : fmt::format(" /{}", size));
}

std::string show_range(const Json &, const Measurement &row) {
    const Spread &seconds = row.figures->seconds;
    return fmt::format("{:.4g} ({:.4g} … {:.4g})", 1e3 * seconds.median, 1e3 * seconds.least,
                       1e3 * seconds.most);
}

std::string show_kernel_rate(const Json &, const Measurement &row) {
    return scaled(*row.work.kernel_bytes / row.figures->seconds.median);
}

std::string show_share(const Json &roof, const Measurement &row) {
    return fmt::format("{:.1f} % {}", 100 * row.figures->roof->fraction, roof.get<std::string>());
}

std::string show_megapixels(const Json &value, const Measurement &row) {
    return fmt::format("{:.4g} ({:.4g})", value.get<double>(),
                       1e-6 * row.figures->predicted_pixels_per_second.value_or(0));
}

} // namespace

std::string Column::cell(const Measurement &row) const {
    const Json found = value(row);
    if (found.is_null()) return {};
    return show ? show(found, row) : found.dump();
}

const std::vector<Column> &columns() {
    static const std::vector<Column> all = {
        {"operation", of_subject(&Subject::operation)},
        {"level", of_subject(&Subject::level), 1, "level", 8, show_level,
         "the way of doing it; in groups of 128 work-items: gpu4 /128"},
        {"device", of_subject(&Subject::device)},
        {"n", of_subject(&Subject::n), 2, "n", 8, {}, "rows of data, such as descriptors"},
        {"k", of_subject(&Subject::k)},
        {"d", of_subject(&Subject::d)},
        {"median_seconds", of_figures([](const Figures &its) { return its.seconds.median; }), 3,
         "ms (range)", 30, show_range, "milliseconds: the median of the rounds, and their range"},
        {"spread", of_figures(&Figures::seconds)},
        {"bytes_read", count_of(&Work::bytes_read)},
        {"bytes_written", count_of(&Work::bytes_written)},
        {"kernel_bytes", count_of(&Work::kernel_bytes), 9, "loops B/s", 11, show_kernel_rate,
         "bytes a second that the kernel's loops ask of memory and caches"},
        {"operations", count_of(&Work::operations)},
        {"gigabytes_per_second", rate(gigabytes_per_second), 6, "B/s", 7, prefixed(1e9),
         "bytes of the problem read and written, a second"},
        {"teraflops", rate(teraflops), 5, "FLOP/s", 9, prefixed(1e12),
         "operations a second; a multiply-add is two"},
        {"roof", of_roof([](const RoofShare &its) { return name_of(its.roof); }), 10, "of its roof",
         13, show_share,
         "how near it is to the peak that binds: fma (arithmetic) or copy\n               "
         "(memory), "
         "both measured here"},
        {"fraction_of_peak", of_roof(&RoofShare::fraction)},
        {"unproven",
         of_figures(&Figures::unproven),
         11,
         "unproven",
         9,
         {},
         "rows whose word the screen could not prove at first"},
        {"mismatches",
         of_figures(&Figures::mismatches),
         12,
         "wrong",
         6,
         {},
         "results that differ from the reference's: should be 0"},
        {"local_size", of_row([](const Measurement &its) {
             return whole(positive(static_cast<double>(its.subject.local_size)));
         })},
        {"rounds", of_figures(&Figures::rounds)},
        {"wall_seconds", of_figures([](const Figures &its) { return its.wall_seconds.median; }), 4,
         "wall ms", 9, four_digits(1e3),
         "the same by the clock, with transfers to the device and back"},
        {"wall_spread", of_figures(&Figures::wall_seconds)},
        {"operations_per_byte", of_work(operations_per_byte), 7, "OP/B", 7, four_digits(1),
         "operations for each byte of the problem"},
        {"predicted_operations_per_byte", of_work(&Work::predicted_operations_per_byte), 8,
         "book's", 7, four_digits(1), "OP/B as the textbook predicts it for this way"},
        {"resident_groups", of_row([](const Measurement &its) {
             return whole(positive(static_cast<double>(its.subject.resident_groups)));
         }),
         13, "groups that fit a compute unit at once"},
        {"megapixels_per_second", rate([](const Work &work, double seconds) {
             return positive(1e-6 * work.pixels / seconds);
         }),
         14, "megapixels/s (predicted by the copy peak)", 0, show_megapixels},
        {"predicted_megapixels_per_second", of_figures([](const Figures &its) {
             return positive(1e-6 * its.predicted_pixels_per_second.value_or(0));
         })},
        {"roof_spread", of_roof(&RoofShare::per_second)},
        {"above_roof", of_roof(&RoofShare::above)},
        {"unsupported", of_row(&Measurement::obstacle)},
        {"error", of_row(&Measurement::error)},
    };
    return all;
}

std::vector<const Column *> table_columns() {
    std::vector<const Column *> found;
    for (const Column &column : columns())
        if (column.place > 0) found.push_back(&column);
    std::ranges::sort(found, {}, &Column::place);
    return found;
}

const Column &column(std::string_view key) {
    return *std::ranges::find(columns(), key, &Column::key);
}

} // namespace bowhist
