#include <bowhist/encode/moments.hpp>

#include <bowhist/core/cpu_clones.hpp>
#include <bowhist/core/default_floats.hpp>

#include <tbb/parallel_for.h>

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

    void join(const Sums &other) {
        rows += other.rows;
        for (std::size_t i = 0; i < values.size(); ++i) values[i] += other.values[i];
        for (std::size_t i = 0; i < products.size(); ++i) products[i] += other.products[i];
    }
};

} // namespace

Moments moments_of(std::size_t parts, std::size_t dimensions,
                   const std::function<Descriptors(std::size_t)> &part) {
    const DefaultFloats floats;
    std::vector<Sums> sums(parts, Sums(dimensions));
    tbb::parallel_for(std::size_t{0}, parts, [&](std::size_t i) {
        const DefaultFloats of_this_thread;
        const Descriptors rows = part(i);
        sums[i].rows = rows.size();
        for (std::size_t row = 0; row < rows.size(); ++row)
            add_row(rows.row(row).data(), dimensions, sums[i].values.data(),
                    sums[i].products.data());
    });
    Sums all(dimensions);
    for (const Sums &some : sums) all.join(some);
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
