#include <bowhist/encode/code.hpp>

#include <bowhist/core/default_floats.hpp>

#include <algorithm>
#include <cmath>

namespace bowhist {

std::vector<std::int8_t> code_of(std::span<const std::int64_t> components) {
    constexpr std::int64_t most = 127;
    std::int64_t largest = 0;
    for (const std::int64_t value : components) largest = std::max(largest, std::abs(value));
    std::vector<std::int8_t> code(components.size());
    if (largest == 0) return code;
    std::ranges::transform(components, code.begin(), [&](std::int64_t value) {
        const std::int64_t magnitude = (2 * most * std::abs(value) + largest) / (2 * largest);
        return static_cast<std::int8_t>(value < 0 ? -magnitude : magnitude);
    });
    return code;
}

std::int32_t product_of(std::span<const std::int8_t> a, std::span<const std::int8_t> b) {
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += std::int32_t{a[i]} * b[i];
    return sum;
}

double likeness(std::span<const std::int8_t> a, std::span<const std::int8_t> b) {
    const DefaultFloats floats;
    const double squares = static_cast<double>(product_of(a, a)) * product_of(b, b);
    return squares == 0 ? 0 : product_of(a, b) / std::sqrt(squares);
}

} // namespace bowhist
