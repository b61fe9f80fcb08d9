#include <bowhist/ops/separable_kernel.hpp>

#include <bowhist/core/error.hpp>

#include <algorithm>
#include <cmath>

namespace bowhist {
namespace {

/// The weight furthest from zero: the row and the column through it lose least by a division.
std::size_t pivot_of(const Filter &filter) {
    const auto larger = [](float a, float b) { return std::abs(a) < std::abs(b); };
    return static_cast<std::size_t>(std::ranges::max_element(filter.weights, larger) -
                                    filter.weights.begin());
}

/// Whether a × b is c, but for five roundings: of a and c, and of b, which is a quotient of two.
bool is_product(float a, float b, float c) {
    constexpr double roundings = 5 * 0x1p-24;
    return std::abs(static_cast<double>(a) * b - c) <= roundings * std::abs(c);
}

} // namespace

void check_filter(const Filter &filter) {
    if (const auto fault = fault_of(filter)) throw Error(Fault::usage, *fault);
}

std::optional<SeparableFilter> factors(const Filter &filter) {
    const std::size_t pivot = pivot_of(filter);
    const std::size_t pivot_column = pivot % filter.width;
    const float *pivot_row = &filter.weights[pivot - pivot_column];
    const double largest = filter.weights[pivot];
    SeparableFilter apart{{pivot_row, pivot_row + filter.width}, {}};
    for (std::size_t j = 0; j < filter.height; ++j) {
        const double weight = filter.weights[j * filter.width + pivot_column];
        apart.down.push_back(largest == 0 ? 0 : static_cast<float>(weight / largest));
    }
    for (std::size_t j = 0; j < filter.height; ++j)
        for (std::size_t i = 0; i < filter.width; ++i)
            if (!is_product(apart.down[j], apart.across[i], filter.weights[j * filter.width + i]))
                return std::nullopt;
    return apart;
}

Filter product(const SeparableFilter &factors) {
    Filter filter{factors.across.size(), factors.down.size(), {}};
    for (const float down : factors.down)
        for (const float across : factors.across) filter.weights.push_back(down * across);
    return filter;
}

} // namespace bowhist
