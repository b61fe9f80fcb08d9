#include <bowhist/learn/second_reading.hpp>

#include <bowhist/train/sample.hpp>

#include <algorithm>
#include <random>

namespace bowhist {

std::vector<Input> draw_inputs(std::span<const Input> inputs, std::size_t most,
                               std::uint64_t seed) {
    std::mt19937_64 engine(seed);
    std::vector<Input> some;
    std::size_t left = std::min(most, inputs.size());
    for (std::size_t i = 0; i < inputs.size() && left > 0; ++i)
        if (draw_below(engine, inputs.size() - i) < left) {
            some.push_back(inputs[i]);
            --left;
        }
    return some;
}

} // namespace bowhist
