#include <bowhist/search/turns.hpp>

namespace bowhist {
namespace {

/// From one step to the next the rounding errors add up to 10⁻¹⁴ at most.
std::array<Turn, 256> all_turns() {
    constexpr Turn step{0.99969881869620422, 0.024541228522912288}; // of 2π/256
    std::array<Turn, 256> turns{};
    for (std::size_t i = 1; i < turns.size(); ++i) {
        const Turn &last = turns[i - 1];
        turns[i] = {last.cosine * step.cosine - last.sine * step.sine,
                    last.sine * step.cosine + last.cosine * step.sine};
    }
    return turns;
}

std::array<double, 256> all_octaves() {
    constexpr double step = 1.0293022366434921; // 2^(1/24)
    std::array<double, 256> octaves{1};
    for (std::size_t i = 1; i < octaves.size(); ++i) octaves[i] = octaves[i - 1] * step;
    return octaves;
}

} // namespace

Turn turn_of(std::uint8_t angle) {
    static const std::array<Turn, 256> turns = all_turns();
    return turns[angle];
}

double octaves(int parts) {
    static const std::array<double, 256> values = all_octaves();
    return parts < 0 ? 1 / values[static_cast<std::size_t>(-parts)]
                     : values[static_cast<std::size_t>(parts)];
}

} // namespace bowhist
