#include <bowhist/assign/device/rule_probe.hpp>
#include <bowhist/assign/rule.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bowhist {
namespace {

constexpr std::size_t probe_words = 16;
constexpr std::size_t most_values = 16; // in a longer sum, an operation's rounding shows less often

/// The quick generator of Numerical Recipes; tests/assign/golden_words.py draws the same numbers.
class Draw {
  public:
    /// In [0, below).
    std::uint32_t number(std::uint32_t below) {
        state_ = 1664525 * state_ + 1013904223;
        return static_cast<std::uint32_t>((std::uint64_t{state_} * below) >> 32);
    }
    /// In [1, 2), of 24 bits.
    float significand() { return 1 + std::ldexp(static_cast<float>(number(1U << 23)), -23); }

  private:
    std::uint32_t state_ = 1;
};

/// Chooses `count` of the dimensions, in ascending order.
std::vector<std::size_t> places_of(RuleProbe::Places places, std::size_t count,
                                   std::size_t dimensions) {
    std::vector<std::size_t> chosen;
    Draw draw;
    for (std::size_t i = 0; chosen.size() < count; ++i)
        if (places == RuleProbe::Places::together ||
            draw.number(static_cast<std::uint32_t>(dimensions - i)) < count - chosen.size())
            chosen.push_back(i);
    return chosen;
}

/// Appends a row that holds the values at the places, and zeros.
void append_row(std::vector<float> &rows, std::span<const float> values,
                std::span<const std::size_t> places, std::size_t dimensions) {
    const std::size_t first = rows.size();
    rows.resize(first + dimensions, 0.0F);
    for (std::size_t i = 0; i < values.size(); ++i) rows[first + places[i]] = values[i];
}

/// Whether the device's words are the rule's.
bool answers_right(Device &device, Kernel &decide, const RuleProbe &probe) {
    const std::size_t n = probe.rows.size();
    std::vector<cl_uint> unproven(n + 1, static_cast<cl_uint>(n)); // the first counts them: all
    std::iota(unproven.begin() + 1, unproven.end(), 0U);
    const auto rows = uploaded(device, probe.rows.values);
    const auto words = uploaded(device, probe.words.values);
    const auto list = uploaded(device, unproven);
    const auto bag = device.allocate<cl_uint>(n);
    const auto found = device.allocate<cl_int>(n);
    const auto histogram = device.allocate<cl_uint>(probe_words);
    device.fill<cl_uint>(bag, 0, n);
    device.launch(decide, {n * DECIDE_GROUP, 1}, {DECIDE_GROUP, 1}, rows, words,
                  static_cast<cl_uint>(probe_words), bag, found, histogram, list);
    const std::vector<cl_int> answers = downloaded(device, found);
    device.take_launches(); // they belong in no report
    for (std::size_t row = 0; row < n; ++row)
        if (answers[row] != nearest(probe.rows.row(row), probe.words)) return false;
    return true;
}

} // namespace

RuleProbe::RuleProbe(std::size_t dimensions, Places places, Values kind)
    : words{dimensions, {}}, rows{dimensions, {}} {
    Draw draw;
    std::vector<float> values(std::min(dimensions, most_values));
    const int lower = kind == Values::subnormal ? -127 : 0; // the exponent of all
    const auto chosen = places_of(places, values.size(), dimensions);
    const auto draw_values = [&] {
        for (float &value : values) {
            const float significand = draw.significand();
            value = std::ldexp(significand, lower - 6 - static_cast<int>(draw.number(20)));
        }
    };
    const auto shuffle_values = [&] {
        for (std::size_t i = values.size() - 1; i > 0; --i)
            std::swap(values[i], values[draw.number(static_cast<std::uint32_t>(i + 1))]);
    };
    draw_values();
    for (std::size_t word = 0; word < probe_words; ++word) {
        // Squares of subnormals are exact: words that differ show whether they arrive.
        if (kind == Values::subnormal)
            draw_values();
        else
            shuffle_values();
        append_row(words.values, values, chosen, dimensions);
    }
    const std::size_t n = std::clamp<std::size_t>(4096 / dimensions, 16, 64);
    for (std::size_t row = 0; row < n; ++row) {
        if (kind == Values::subnormal)
            draw_values();
        else
            std::ranges::fill(values, draw.significand());
        append_row(rows.values, values, chosen, dimensions);
    }
}

bool keeps_the_rule(Device &device, Kernel &decide, std::size_t dimensions) {
    return device.verdict(fmt::format("the rule in {} dimensions", dimensions), [&] {
        using enum RuleProbe::Places;
        return answers_right(device, decide, {dimensions, together}) &&
               answers_right(device, decide, {dimensions, scattered}) &&
               answers_right(device, decide, {dimensions, together, RuleProbe::Values::subnormal});
    });
}

} // namespace bowhist
