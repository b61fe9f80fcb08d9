#include <bowhist/encode/mirrored.hpp>

#include <cstddef>

namespace bowhist {

Mirroring mirroring_of(const Recipe &recipe) {
    if (recipe.extractor == "dense") return Mirroring::columns;
    if (recipe.extractor == "surf") return recipe.upright ? Mirroring::columns : Mirroring::rows;
    return Mirroring::none;
}

void mirror(std::span<const float> row, Mirroring mirroring, std::span<float> mirrored) {
    constexpr std::size_t side = 4;     // cells
    constexpr std::size_t channels = 4; // Σdx, Σ|dx|, Σdy, Σ|dy|
    const bool turns_columns = mirroring == Mirroring::columns;
    const std::size_t across = turns_columns ? side - 1 : 0;
    const std::size_t down = turns_columns ? 0 : side - 1;
    const std::size_t signed_channel = turns_columns ? 0 : 2;
    for (std::size_t cell = 0; cell < side * side; ++cell) {
        const std::size_t from = (cell / side ^ down) * side + (cell % side ^ across);
        for (std::size_t channel = 0; channel < channels; ++channel) {
            const float value = row[from * channels + channel];
            // 0 - value, as -value makes a negative zero, which no extractor does
            mirrored[cell * channels + channel] = channel == signed_channel ? 0 - value : value;
        }
    }
}

} // namespace bowhist
