#include <bowhist/encode/subspace.hpp>

#include <bowhist/core/cpu_clones.hpp>
#include <bowhist/core/default_floats.hpp>

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace bowhist {
namespace {

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

} // namespace

BOWHIST_FOR_EACH_CPU
void add_scaled(double factor, const double *values, std::size_t size, double *sums) {
    for (std::size_t i = 0; i < size; ++i) sums[i] += factor * values[i];
}

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

} // namespace bowhist
