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

std::optional<std::uint64_t> whole(std::optional<double> value) {
    return value ? std::optional(static_cast<std::uint64_t>(*value)) : std::nullopt;
}

// Each takes a member or a function of a part of a row, and returns a column's value.

auto of_row(auto part) {
    return [=](const Measurement &row) { return as_json(std::invoke(part, row)); };
}
auto of_subject(auto part) {
    return of_row([=](const Measurement &row) { return std::invoke(part, row.subject); });
}
auto measured(auto part) {
    return [=](const Measurement &row) { return row.figures ? as_json(part(row)) : Json(); };
}
auto of_figures(auto part) {
    return measured([=](const Measurement &row) { return std::invoke(part, *row.figures); });
}
auto of_work(auto part) {
    return measured([=](const Measurement &row) { return std::invoke(part, row.work); });
}
auto count_of(auto part) {
    return of_work([=](const Work &work) { return whole(std::invoke(part, work)); });
}
auto rate(auto of_work_in_seconds) {
    return measured([=](const Measurement &row) {
        return std::invoke(of_work_in_seconds, row.work, row.figures->seconds.median);
    });
}
auto of_roof(auto part) {
    return of_figures([=](const Figures &figures) {
        return figures.roof ? as_json(std::invoke(part, *figures.roof)) : Json();
    });
}

/// A part that is empty where it is 0: not counted.
auto positive(auto part) {
    return [=](const auto &...whole) {
        const auto value = std::invoke(part, whole...);
        return value > 0 ? std::optional(value) : std::nullopt;
    };
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

double megapixels_per_second(const Work &work, double seconds) {
    return 1e-6 * work.pixels / seconds;
}

double predicted_megapixels(const Figures &figures) {
    return 1e-6 * figures.predicted_pixels_per_second.value_or(0);
}

std::string show_megapixels(const Json &value, const Measurement &row) {
    return fmt::format("{:.4g} ({:.4g})", value.get<double>(), predicted_megapixels(*row.figures));
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
        {"level", of_subject(&Subject::level), "level", 8,
         "the way of doing it; in groups of 128 work-items: gpu4 /128", show_level},
        {"device", of_subject(&Subject::device)},
        {"n", of_subject(&Subject::n), "n", 8, "rows of data, such as descriptors"},
        {"k", of_subject(&Subject::k)},
        {"d", of_subject(&Subject::d)},
        {"median_seconds", of_figures([](const Figures &its) { return its.seconds.median; }),
         "ms (range)", 30, "milliseconds: the median of the rounds, and their range", show_range},
        {"spread", of_figures(&Figures::seconds)},
        {"bytes_read", count_of(&Work::bytes_read)},
        {"bytes_written", count_of(&Work::bytes_written)},
        {"kernel_bytes", count_of(&Work::kernel_bytes), "loops B/s", 11,
         "bytes a second that the kernel's loops ask of memory and caches", show_kernel_rate},
        {"operations", count_of(&Work::operations)},
        {"gigabytes_per_second", rate(&Work::gigabytes_per_second), "B/s", 7,
         "bytes of the problem read and written, a second", prefixed(1e9)},
        {"teraflops", rate(&Work::teraflops), "FLOP/s", 9,
         "operations a second; a multiply-add is two", prefixed(1e12)},
        {"roof", of_roof([](const RoofShare &its) { return name_of(its.roof); }), "of its roof", 13,
         "how near it is to the peak that binds: fma (arithmetic) or copy\n"
         "               (memory), both measured here",
         show_share},
        {"fraction_of_peak", of_roof(&RoofShare::fraction)},
        {"unproven", of_figures(&Figures::unproven), "unproven", 9,
         "rows whose word the screen could not prove at first"},
        {"mismatches", of_figures(&Figures::mismatches), "wrong", 6,
         "results that differ from the reference's: should be 0"},
        {"local_size", of_subject(positive(&Subject::local_size))},
        {"rounds", of_figures(&Figures::rounds)},
        {"wall_seconds", of_figures([](const Figures &its) { return its.wall_seconds.median; }),
         "wall ms", 9, "the same by the clock, with transfers to the device and back",
         four_digits(1e3)},
        {"wall_spread", of_figures(&Figures::wall_seconds)},
        {"operations_per_byte", of_work(&Work::operations_per_byte), "OP/B", 7,
         "operations for each byte of the problem", four_digits(1)},
        {"predicted_operations_per_byte", of_work(&Work::predicted_operations_per_byte), "book's",
         7, "OP/B as the textbook predicts it for this way", four_digits(1)},
        {"resident_groups", of_subject(positive(&Subject::resident_groups)),
         "groups that fit a compute unit at once"},
        {"megapixels_per_second", rate(positive(megapixels_per_second)),
         "megapixels/s (predicted by the copy peak)", 0, "", show_megapixels},
        {"predicted_megapixels_per_second", of_figures(positive(predicted_megapixels))},
        {"roof_spread", of_roof(&RoofShare::per_second)},
        {"above_roof", of_roof(&RoofShare::above)},
        {"unsupported", of_row(&Measurement::obstacle)},
        {"error", of_row(&Measurement::error)},
    };
    return all;
}

std::vector<const Column *> table_columns() {
    std::vector<const Column *> found;
    for (const auto *key :
         {"level", "n", "median_seconds", "wall_seconds", "teraflops", "gigabytes_per_second",
          "operations_per_byte", "predicted_operations_per_byte", "kernel_bytes", "roof",
          "unproven", "mismatches", "resident_groups", "megapixels_per_second"})
        found.push_back(&column(key));
    return found;
}

const Column &column(std::string_view key) {
    return *std::ranges::find(columns(), key, &Column::key);
}

} // namespace bowhist
