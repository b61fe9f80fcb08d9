#include <bowhist/assign/host/host_assigner.hpp>
#include <bowhist/assign/rule.hpp>

namespace bowhist {

HostSearch make_serial_search(const Vocabulary &vocabulary, int /*threads*/,
                              double /*bound_scale*/) {
    constexpr std::size_t comparisons_a_slice = std::size_t{1} << 24;
    const auto search = [&vocabulary](std::span<const float> values, std::span<std::int32_t> words,
                                      int /*threads*/) {
        const std::size_t dimensions = vocabulary.dimensions;
        for (std::size_t row = 0; row < words.size(); ++row)
            words[row] = nearest(values.subspan(row * dimensions, dimensions), vocabulary);
        return std::uint64_t{0};
    };
    return {search, rows_for(comparisons_a_slice, 1, vocabulary.size(), 1), true};
}

} // namespace bowhist
