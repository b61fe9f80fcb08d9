#include <bowhist/compare/excess_bounds.hpp>

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bowhist {
namespace {

/// More than all roundings of a bound in floats.
constexpr double margin = 1 + 1e-5;

/// The highest value that a count up to `usual` has beside that of its word's bitmaps.
double highest_ratio(const WordMeasure &measure, std::uint32_t usual) {
    double ratio = 1;
    for (std::uint32_t levels = 1; levels < usual; ++levels)
        ratio = std::max(ratio, double(measure.value(usual)) / double(measure.value(levels)));
    return ratio;
}

double mean(const std::vector<float> &values) {
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

} // namespace

ExcessBounds::ExcessBounds(const WordIndex &index, const WordMeasure &measure,
                           std::span<const float> inverse_norms)
    : ratio_(highest_ratio(measure, usual_count)), sums_(inverse_norms.size()),
      roots_(inverse_norms.size()) {
    const std::size_t first = index.listed_windows() * WordIndex::window_images;
    tbb::parallel_for(std::min(first, index.size()), index.size(), [&](std::size_t image) {
        double sum = 0;
        double squares = 0;
        index.for_each_excess(image, [&](std::uint32_t word, std::uint32_t excess) {
            const std::uint32_t levels = index.rows().levels(word);
            const std::uint32_t usual = levels == 0 ? 0 : std::max(levels, usual_count);
            if (levels + excess <= usual) return;
            const double above = measure.value(levels + excess) - measure.value(usual);
            sum += above;
            squares += above * above;
        });
        sums_[image] = static_cast<float>(sum * inverse_norms[image]);
        roots_[image] = static_cast<float>(std::sqrt(squares) * inverse_norms[image]);
    });
    mean_sum_ = mean(sums_);
    mean_root_ = mean(roots_);
}

ExcessBounds::Factors ExcessBounds::factors(std::span<const std::uint32_t> factors) const {
    std::vector<std::uint32_t> tried(factors.begin(), factors.end()); // values of t
    std::ranges::sort(tried);
    tried.erase(std::unique(tried.begin(), tried.end()), tried.end());
    double lowest = std::numeric_limits<double>::infinity();
    Factors best;
    const std::size_t step = tried.size() / 16 + 1;
    for (std::size_t i = 0; i < tried.size(); i += step) {
        double squares = 0;
        for (const std::uint32_t factor : factors) {
            const double above = factor > tried[i] ? double(factor) - double(tried[i]) : 0;
            squares += above * above;
        }
        const double root = std::sqrt(squares);
        const double bound = tried[i] * mean_sum_ + root * mean_root_;
        if (bound >= lowest) continue;
        lowest = bound;
        best.sum = static_cast<float>(tried[i] * margin);
        best.root = static_cast<float>(root * margin);
    }
    best.ratio = static_cast<float>(ratio_ * margin);
    return best;
}

} // namespace bowhist
