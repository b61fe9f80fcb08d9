#include <bowhist/core/scaled.hpp>

#include <fmt/format.h>

#include <array>
#include <utility>

namespace bowhist {

std::string scaled(double value) {
    constexpr std::array<std::pair<double, char>, 4> prefixes = {
        {{1e12, 'T'}, {1e9, 'G'}, {1e6, 'M'}, {1e3, 'k'}}};
    for (const auto &[size, prefix] : prefixes)
        if (value >= size * (1 - 1e-9)) return fmt::format("{:.4g} {}", value / size, prefix);
    return fmt::format("{:.4g} ", value);
}

} // namespace bowhist
