#include <bowhist/encode/projection.hpp>

#include <bowhist/core/cpu_clones.hpp>
#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/encode/moments.hpp>

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace bowhist {
namespace {

/// Adds factor × values to sums, one by one.
BOWHIST_FOR_EACH_CPU
void add_scaled(double factor, const double *values, std::size_t size, double *sums) {
    for (std::size_t i = 0; i < size; ++i) sums[i] += factor * values[i];
}

/// The product of two rows (core/projection.hpp), exact in 32 bits.
BOWHIST_FOR_EACH_CPU
std::int32_t product_of(const std::int16_t *a, const std::int16_t *b, std::size_t size) {
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += std::int32_t{a[i]} * b[i];
    return sum;
}

/// Numbers from -1 to 1.
std::vector<double> fixed_start(std::size_t size) {
    std::mt19937_64 engine(1);
    std::vector<double> values(size);
    for (double &value : values) value = static_cast<double>(engine() >> 11) * 0x1p-52 - 1;
    return values;
}

/// The product of two vectors: eight sums side by side, which are then added pairwise.
BOWHIST_FOR_EACH_CPU
double product(const double *a, const double *b, std::size_t size) {
    constexpr std::size_t lanes = 8;
    double sums[lanes] = {};
    std::size_t i = 0;
    for (; i + lanes <= size; i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += a[i + lane] * b[i + lane];
    for (; i < size; ++i) sums[0] += a[i] * b[i];
    return ((sums[0] + sums[4]) + (sums[2] + sums[6])) +
           ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

/// Vectors of n numbers, side by side.
class Subspace {
  public:
    Subspace(const std::vector<double> &matrix, std::size_t n, std::size_t size)
        : matrix_(matrix), n_(n), size_(size), vectors_(fixed_start(n * size)) {}

    /// Each vector to unit length and at right angles to those before it (Gram and Schmidt, twice);
    /// one that lies in their span becomes zero.
    void straighten() {
        for (std::size_t i = 0; i < size_; ++i) {
            const double before = product(at(i), at(i), n_);
            for (int again = 0; again < 2; ++again) subtract_earlier(i);
            const double square = product(at(i), at(i), n_);
            constexpr double negligible = 1e-28; // what rounding leaves
            const bool is_zero = !(square > before * negligible);
            const double factor = is_zero ? 0 : 1 / std::sqrt(square);
            for (std::size_t j = 0; j < n_; ++j) at(i)[j] *= factor;
        }
    }

    /// The matrix times each vector.
    std::vector<double> multiplied() const {
        std::vector<double> across(vectors_.size()); // [j][vector]
        for (std::size_t i = 0; i < size_; ++i)
            for (std::size_t j = 0; j < n_; ++j) across[j * size_ + i] = vectors_[i * n_ + j];
        std::vector<double> result(vectors_.size());
        constexpr std::size_t rows = 16; // of the matrix, for a thread
        constexpr std::size_t part = 64; // vectors' numbers that stay in the caches
        tbb::parallel_for(std::size_t{0}, (n_ + rows - 1) / rows, [&](std::size_t number) {
            const DefaultFloats floats;
            const std::size_t first = number * rows;
            const std::size_t count = std::min(rows, n_ - first);
            std::vector<double> sums(count * size_);
            for (std::size_t from = 0; from < n_; from += part)
                for (std::size_t row = 0; row < count; ++row)
                    for (std::size_t j = from; j < std::min(n_, from + part); ++j)
                        add_scaled(matrix_[(first + row) * n_ + j], across.data() + j * size_,
                                   size_, sums.data() + row * size_);
            for (std::size_t row = 0; row < count; ++row)
                for (std::size_t i = 0; i < size_; ++i)
                    result[i * n_ + first + row] = sums[row * size_ + i];
        });
        return result;
    }

    void multiply() { vectors_ = multiplied(); }

    /// The eigenvectors within the span (Rayleigh and Ritz). REQUIRES: straighten() before
    Eigenvectors eigenvectors(std::size_t count, Observer &observer) const {
        const std::vector<double> after = multiplied();
        std::vector<double> small(size_ * size_);
        tbb::parallel_for(std::size_t{0}, size_, [&](std::size_t i) {
            const DefaultFloats floats;
            for (std::size_t j = 0; j <= i; ++j)
                small[i * size_ + j] = small[j * size_ + i] =
                    product(at(i), after.data() + j * n_, n_);
        });
        const Eigenvectors within = eigenvectors_of(std::move(small), size_, observer);
        Eigenvectors found;
        found.vectors.resize(count * n_);
        for (std::size_t c = 0; c < count; ++c) {
            found.values.push_back(std::max(within.values[c], 0.0));
            for (std::size_t i = 0; i < size_; ++i)
                add_scaled(within.vector(c)[i], at(i), n_, found.vectors.data() + c * n_);
        }
        return found;
    }

  private:
    double *at(std::size_t i) { return vectors_.data() + i * n_; }
    const double *at(std::size_t i) const { return vectors_.data() + i * n_; }

    void subtract_earlier(std::size_t i) {
        std::vector<double> shares(i);
        for (std::size_t j = 0; j < i; ++j) shares[j] = product(at(j), at(i), n_);
        for (std::size_t j = 0; j < i; ++j) add_scaled(-shares[j], at(j), n_, at(i));
    }

    const std::vector<double> &matrix_;
    std::size_t n_;
    std::size_t size_;
    std::vector<double> vectors_;
};

/// The eigenvectors of the largest values of a symmetric matrix without negative ones, at most
/// `count` and at most n, by subspace iteration with 32 vectors to spare. The largest are found
/// nearly exactly; where values lie close together near the last, their span is.
/// Zero vectors have value 0. Fixed start, rounds and orders: the same bits for any number of
/// threads. Reports progress as "projection rounds". @throws Error{Fault::interrupted}
Eigenvectors leading_eigenvectors(const std::vector<double> &matrix, std::size_t n,
                                  std::size_t count, Observer &observer) {
    constexpr std::size_t spare = 32;
    constexpr int rounds = 12; // two multiplications each
    const DefaultFloats floats;
    Subspace subspace(matrix, n, std::min(n, count + spare));
    subspace.straighten();
    for (int round = 0; round < rounds; ++round) {
        observer.stop_if_interrupted();
        subspace.multiply();
        subspace.multiply();
        subspace.straighten();
        observer.progress("projection rounds", static_cast<std::size_t>(round + 1), rounds);
    }
    return subspace.eigenvectors(std::min(n, count), observer);
}

/// n² times the products of centered rows, each rounded once: n×n.
std::vector<double> centered_products(const WholeRows &rows, const Observer &observer) {
    const std::size_t n = rows.size();
    std::vector<double> products(n * n);
    constexpr std::size_t tile = 32; // rows whose parts stay in the caches
    const std::size_t tiles = (n + tile - 1) / tile;
    constexpr std::size_t part = 2048; // values
    tbb::parallel_for(std::size_t{0}, tiles, [&](std::size_t down) {
        if (observer.interrupted()) return; // what is left out is not used
        const std::size_t last_row = std::min(n, (down + 1) * tile);
        for (std::size_t across = 0; across <= down; ++across)
            for (std::size_t first = 0; first < rows.dimensions; first += part) {
                const std::size_t size = std::min(part, rows.dimensions - first);
                for (std::size_t i = down * tile; i < last_row; ++i)
                    for (std::size_t j = across * tile; j <= std::min(i, (across + 1) * tile - 1);
                         ++j) // float64 holds sums of whole numbers exactly
                        products[i * n + j] += product_of(rows.row(i).data() + first,
                                                          rows.row(j).data() + first, size);
            }
    });
    observer.stop_if_interrupted();
    std::vector<std::int64_t> sums(n);
    std::int64_t all = 0;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < i; ++j) products[j * n + i] = products[i * n + j];
    }
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j)
            sums[i] += static_cast<std::int64_t>(products[i * n + j]);
        all += sums[i];
    }
    const auto count = static_cast<std::int64_t>(n);
    tbb::parallel_for(std::size_t{0}, n, [&](std::size_t i) {
        const DefaultFloats floats;
        for (std::size_t j = 0; j < n; ++j) { // below 2^57, as n is below 2^12
            double &product = products[i * n + j];
            product = static_cast<double>(count * count * static_cast<std::int64_t>(product) -
                                          count * (sums[i] + sums[j]) + all);
        }
    });
    return products;
}

/// Axes of unit length: sums of rows, by the eigenvectors of their products.
WholeRows axes_of(const WholeRows &rows, const Eigenvectors &found) {
    const std::size_t n = rows.size();
    const std::size_t components = found.values.size();
    constexpr double negligible = 1e-9;          // of the largest variance: rounding
    std::vector<double> weights(n * components); // [row][component]
    for (std::size_t c = 0; c < components; ++c) {
        if (!(found.values[c] > found.values[0] * negligible)) break;
        // n² times the square of the sum's length, in units
        const double length = std::sqrt(found.values[c]) / static_cast<double>(n);
        for (std::size_t i = 0; i < n; ++i)
            weights[i * components + c] = found.vectors[c * n + i] * WholeRows::unit / length;
    }
    WholeRows axes{rows.dimensions, std::vector<std::int16_t>(components * rows.dimensions)};
    constexpr std::size_t part = 32; // dimensions whose sums stay in the caches
    const std::size_t parts = (rows.dimensions + part - 1) / part;
    tbb::parallel_for(std::size_t{0}, parts, [&](std::size_t number) {
        const DefaultFloats floats;
        const std::size_t first = number * part;
        const std::size_t size = std::min(part, rows.dimensions - first);
        std::vector<double> sums(size * components);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t d = 0; d < size; ++d)
                add_scaled(rows.row(i)[first + d], weights.data() + i * components, components,
                           sums.data() + d * components);
        constexpr double rounder = 0x1.8p52; // adding and subtracting it rounds
        for (std::size_t d = 0; d < size; ++d)
            for (std::size_t c = 0; c < components; ++c) {
                const double bounded = std::clamp<double>(sums[d * components + c],
                                                          -WholeRows::unit, +WholeRows::unit);
                axes.values[c * rows.dimensions + first + d] =
                    static_cast<std::int16_t>((bounded + rounder) - rounder);
            }
    });
    return axes;
}

/// The mean row's products with the axes, rounded.
std::vector<std::int32_t> offsets_of(const WholeRows &rows, const WholeRows &axes) {
    const auto n = static_cast<std::int64_t>(rows.size());
    std::vector<std::int32_t> offsets(axes.size());
    tbb::parallel_for(std::size_t{0}, axes.size(), [&](std::size_t c) {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < rows.size(); ++i)
            sum += product_of(rows.row(i).data(), axes.row(c).data(), rows.dimensions);
        const std::int64_t magnitude = (2 * std::abs(sum) + n) / (2 * n);
        offsets[c] = static_cast<std::int32_t>(sum < 0 ? -magnitude : magnitude);
    });
    return offsets;
}

} // namespace

Projection learn_projection(const WholeRows &rows, std::size_t components, Observer &observer) {
    if (rows.size() < 2)
        return {{rows.dimensions, std::vector<std::int16_t>(components * rows.dimensions)},
                std::vector<std::int32_t>(components)};
    const DefaultFloats floats;
    Eigenvectors found =
        leading_eigenvectors(centered_products(rows, observer), rows.size(), components, observer);
    Projection projection{axes_of(rows, found), {}};
    projection.axes.values.resize(components * rows.dimensions);
    projection.offsets = offsets_of(rows, projection.axes);
    return projection;
}

std::vector<std::int64_t> project(const Projection &projection, std::span<const std::int16_t> row) {
    std::vector<std::int64_t> components(projection.axes.size());
    for (std::size_t c = 0; c < components.size(); ++c)
        components[c] =
            std::int64_t{product_of(row.data(), projection.axes.row(c).data(), row.size())} -
            projection.offsets[c];
    return components;
}

} // namespace bowhist
