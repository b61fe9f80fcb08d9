#include <bowhist/encode/moments.hpp>

#include <bowhist/core/cpu_clones.hpp>
#include <bowhist/core/default_floats.hpp>

#include <tbb/parallel_for.h>

#include <algorithm>

namespace bowhist {
namespace {

/// Adds to the sums of values and of products.
BOWHIST_FOR_EACH_CPU
void add_row(const float *__restrict row, std::size_t dimensions, double *__restrict sums,
             double *__restrict products) {
    for (std::size_t i = 0; i < dimensions; ++i) {
        const double value = row[i];
        sums[i] += value;
        for (std::size_t j = 0; j < dimensions; ++j) products[i * dimensions + j] += value * row[j];
    }
}

struct Sums {
    std::size_t rows = 0;
    std::vector<double> values;
    std::vector<double> products;

    explicit Sums(std::size_t dimensions) : values(dimensions), products(dimensions * dimensions) {}

    void clear() {
        rows = 0;
        std::ranges::fill(values, 0.0);
        std::ranges::fill(products, 0.0);
    }

    void join(const Sums &other) {
        rows += other.rows;
        for (std::size_t i = 0; i < values.size(); ++i) values[i] += other.values[i];
        for (std::size_t i = 0; i < products.size(); ++i) products[i] += other.products[i];
    }
};

} // namespace

std::size_t parts_at_once(std::size_t dimensions) {
    constexpr std::size_t room = std::size_t{1} << 29; // bytes
    return std::max<std::size_t>(2, room / (dimensions * dimensions * sizeof(double)));
}

Moments moments_of(std::size_t parts, std::size_t dimensions,
                   const std::function<Descriptors(std::size_t)> &part) {
    const DefaultFloats floats;
    Sums all(dimensions);
    std::vector<Sums> sums(std::min(parts, parts_at_once(dimensions)), Sums(dimensions));
    for (std::size_t first = 0; first < parts; first += sums.size()) {
        const std::size_t count = std::min(sums.size(), parts - first);
        tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) {
            const DefaultFloats of_this_thread;
            const Descriptors rows = part(first + i);
            Sums &some = sums[i];
            some.clear();
            some.rows = rows.size();
            for (std::size_t row = 0; row < rows.size(); ++row)
                add_row(rows.row(row).data(), dimensions, some.values.data(), some.products.data());
        });
        for (std::size_t i = 0; i < count; ++i) all.join(sums[i]);
    }
    const auto count = static_cast<double>(all.rows);
    Moments moments{std::move(all.values), std::move(all.products)};
    for (double &sum : moments.mean) sum /= count;
    for (std::size_t i = 0; i < dimensions; ++i)
        for (std::size_t j = 0; j < dimensions; ++j) {
            double &product = moments.covariance[i * dimensions + j];
            product = product / count - moments.mean[i] * moments.mean[j];
        }
    return moments;
}

} // namespace bowhist
