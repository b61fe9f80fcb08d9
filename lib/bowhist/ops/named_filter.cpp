#include <bowhist/ops/named_filter.hpp>

#include <bowhist/core/as_number.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/ops/separable_kernel.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace bowhist {
namespace {

struct Fixed {
    std::string_view name;
    std::array<float, 9> weights;
};

constexpr std::array<Fixed, 6> fixed = {{
    {"sobel-x", {-1, 0, 1, -2, 0, 2, -1, 0, 1}},
    {"sobel-y", {-1, -2, -1, 0, 0, 0, 1, 2, 1}},
    {"scharr-x", {-3, 0, 3, -10, 0, 10, -3, 0, 3}},
    {"scharr-y", {-3, -10, -3, 0, 0, 0, 3, 10, 3}},
    {"laplacian", {0, 1, 0, 1, -4, 1, 0, 1, 0}},
    {"sharpen", {0, -1, 0, -1, 5, -1, 0, -1, 0}},
}};

/// The number after the colon of "box:5"; `usual` when there is no colon.
template <typename Number>
Number parameter(std::string_view name, Number usual, std::string_view range,
                 bool (*fits)(Number)) {
    const auto colon = name.find(':');
    if (colon == std::string_view::npos) return usual;
    const auto number = as_number<Number>(name.substr(colon + 1));
    if (number && fits(*number)) return *number;
    throw Error(Fault::usage, fmt::format("{}: give {}", printable(name), range));
}

Filter box(std::string_view name) {
    const auto size = parameter<std::size_t>(
        name, 3, "an odd SIZE from 1 to 31, as in box:5",
        [](std::size_t odd) { return odd % 2 == 1 && odd <= Filter::longest_side; });
    const std::vector<float> mean(size, 1 / static_cast<float>(size));
    return product({mean, mean});
}

Filter gaussian(std::string_view name) {
    const auto sigma = parameter<double>(
        name, 1, "a SIGMA from 0.5 to 5 pixels, as in gaussian:1.5 (a wider one is --blur)",
        [](double pixels) { return pixels >= 0.5 && pixels <= Filter::max_radius / 3.0; });
    const auto weights =
        gaussian_weights(2 * static_cast<std::size_t>(std::ceil(3 * sigma)) + 1, sigma);
    return product({weights, weights});
}

} // namespace

std::vector<float> gaussian_weights(std::size_t size, double sigma) {
    std::vector<double> exact(size);
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) {
        const double distance = static_cast<double>(i) - static_cast<double>(size / 2);
        exact[i] = std::exp(-distance * distance / (2 * sigma * sigma));
        sum += exact[i];
    }
    std::vector<float> weights;
    for (const double weight : exact) weights.push_back(static_cast<float>(weight / sum));
    return weights;
}

std::optional<Filter> named_filter(std::string_view name) {
    const std::string_view word = name.substr(0, name.find(':'));
    if (word == "box") return box(name);
    if (word == "gaussian") return gaussian(name);
    for (const Fixed &filter : fixed)
        if (filter.name == name)
            return Filter{3, 3, {filter.weights.begin(), filter.weights.end()}};
    return std::nullopt;
}

std::string filter_names() {
    std::string names = "box[:SIZE], gaussian[:SIGMA]";
    for (const Fixed &filter : fixed) names += fmt::format(", {}", filter.name);
    return names;
}

} // namespace bowhist
