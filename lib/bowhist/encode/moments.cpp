#include <bowhist/encode/moments.hpp>

#include <bowhist/core/cpu_clones.hpp>
#include <bowhist/core/default_floats.hpp>

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bowhist {
namespace {

/// Turns two rows: (a, b) becomes (cosine a - sine b, sine a + cosine b).
void turn(double *a, double *b, std::size_t n, double cosine, double sine) {
    for (std::size_t i = 0; i < n; ++i) {
        const double before = a[i];
        a[i] = cosine * before - sine * b[i];
        b[i] = sine * before + cosine * b[i];
    }
}

class Jacobi {
  public:
    Jacobi(std::vector<double> matrix, std::size_t n)
        : n_(n), matrix_(std::move(matrix)), vectors_(n * n) {
        for (std::size_t i = 0; i < n_; ++i) vectors_[i * n_ + i] = 1;
    }

    void run(Observer &observer) {
        constexpr int most_sweeps = 60; // about ten suffice
        for (int sweep = 0; sweep < most_sweeps && !is_diagonal(); ++sweep)
            for (std::size_t p = 0; p < n_; ++p) {
                observer.stop_if_interrupted();
                for (std::size_t q = p + 1; q < n_; ++q) rotate(p, q);
                observer.progress("components", p + 1, n_);
            }
    }

    Eigenvectors sorted() const {
        std::vector<std::size_t> order(n_);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order,
                                 [&](std::size_t a, std::size_t b) { return at(a, a) > at(b, b); });
        Eigenvectors found;
        for (const std::size_t i : order) {
            found.values.push_back(at(i, i));
            const double *from = vectors_.data() + i * n_;
            const double *largest = std::max_element(
                from, from + n_, [](double a, double b) { return std::abs(a) < std::abs(b); });
            const double sign = *largest < 0 ? -1 : 1;
            for (std::size_t j = 0; j < n_; ++j) found.vectors.push_back(sign * from[j]);
        }
        return found;
    }

  private:
    double at(std::size_t i, std::size_t j) const { return matrix_[i * n_ + j]; }

    bool is_diagonal() const {
        double largest = 0;
        double beside = 0;
        for (std::size_t i = 0; i < n_; ++i)
            for (std::size_t j = i; j < n_; ++j) {
                double &most = i == j ? largest : beside;
                most = std::max(most, std::abs(at(i, j)));
            }
        return beside <= largest * 0x1p-60;
    }

    /// Makes the element (p, q) zero.
    void rotate(std::size_t p, std::size_t q) {
        const double beside = at(p, q);
        if (beside == 0) return;
        const double theta = (at(q, q) - at(p, p)) / (2 * beside);
        const double root = std::sqrt(theta * theta + 1);
        const double tangent = theta < 0 ? 1 / (theta - root) : 1 / (theta + root);
        const double cosine = 1 / std::sqrt(tangent * tangent + 1);
        const double sine = tangent * cosine;
        const double first = at(p, p) - tangent * beside;
        const double second = at(q, q) + tangent * beside;
        turn(&matrix_[p * n_], &matrix_[q * n_], n_, cosine, sine);
        for (std::size_t i = 0; i < n_; ++i) { // columns are the rows, but where both cross
            matrix_[i * n_ + p] = at(p, i);
            matrix_[i * n_ + q] = at(q, i);
        }
        matrix_[p * n_ + p] = first;
        matrix_[q * n_ + q] = second;
        matrix_[p * n_ + q] = matrix_[q * n_ + p] = 0;
        turn(&vectors_[p * n_], &vectors_[q * n_], n_, cosine, sine);
    }

    std::size_t n_;
    std::vector<double> matrix_;
    std::vector<double> vectors_; ///< rows
};

} // namespace

Eigenvectors eigenvectors_of(std::vector<double> matrix, std::size_t n, Observer &observer) {
    const DefaultFloats floats;
    Jacobi jacobi(std::move(matrix), n);
    jacobi.run(observer);
    return jacobi.sorted();
}

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
