#include <bowhist/bench/measurement.hpp>

#include <algorithm>

namespace bowhist {

std::string name_of(Roof roof) {
    switch (roof) {
    case Roof::fma:
        return "fma";
    case Roof::copy:
        return "copy";
    case Roof::matrix:
        return "matrix";
    }
    return {};
}

Spread spread_of(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    const double median =
        values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    return {values.front(), median, values.back()};
}

double gigabytes_per_second(const Work &work, double seconds) {
    return (work.bytes_read + work.bytes_written) / seconds / 1e9;
}

double teraflops(const Work &work, double seconds) {
    return work.operations / seconds / 1e12;
}

double operations_per_byte(const Work &work) {
    return work.operations / (work.bytes_read + work.bytes_written);
}

Peaks peaks_of(const std::vector<Measurement> &measurements, Place place) {
    Peaks peaks;
    for (const Measurement &measurement : measurements) {
        const Subject &subject = measurement.subject;
        if (subject.operation != "peak" || subject.place != place || !measurement.figures) continue;
        const double seconds = measurement.figures->seconds.median;
        const double bytes = measurement.work.bytes_read + measurement.work.bytes_written;
        if (subject.level == name_of(Roof::copy))
            peaks.copy_bytes_per_second = bytes / seconds;
        else if (subject.level == name_of(Roof::matrix))
            peaks.matrix_operations_per_second = measurement.work.operations / seconds;
        else
            peaks.fma_operations_per_second = measurement.work.operations / seconds;
    }
    return peaks;
}

std::optional<RoofShare> share_of_roof(const Work &work, double seconds, const Peaks &peaks,
                                       bool matrix_units) {
    const bool matrix = matrix_units && peaks.matrix_operations_per_second.has_value();
    const std::optional<double> arithmetic =
        matrix ? peaks.matrix_operations_per_second : peaks.fma_operations_per_second;
    std::optional<RoofShare> binding;
    const auto consider = [&](Roof roof, double amount, std::optional<double> per_second) {
        if (amount <= 0 || !per_second) return;
        const double fraction = amount / *per_second / seconds;
        if (!binding || fraction > binding->fraction) binding = RoofShare{roof, fraction};
    };
    consider(matrix ? Roof::matrix : Roof::fma, work.operations, arithmetic);
    consider(Roof::copy, work.bytes_read + work.bytes_written, peaks.copy_bytes_per_second);
    return binding;
}

} // namespace bowhist
