#include <bowhist/core/shown_words.hpp>

#include <tbb/parallel_for.h>

#include <numeric>

namespace bowhist {
namespace {

/// @param values  not negative  @param bits  zeros
template <typename Value>
void set_shown(std::span<const Value> values, std::uint8_t *bits) {
    const std::uint64_t sum = std::accumulate(values.begin(), values.end(), std::uint64_t{0});
    for (std::size_t word = 0; word < values.size(); ++word)
        if (static_cast<std::uint64_t>(values[word]) * values.size() > sum)
            bits[word / 8] |= 0x80U >> word % 8;
}

} // namespace

std::vector<std::uint8_t> shown_words(std::span<const std::uint32_t> counts) {
    std::vector<std::uint8_t> bits((counts.size() + 7) / 8, 0);
    set_shown(counts, bits.data());
    return bits;
}

ShownWords words_shown_by(const IntegerRows &rows) {
    ShownWords shown{.words = rows.dimensions};
    shown.bits.assign(rows.size() * shown.row_bytes(), 0);
    tbb::parallel_for(std::size_t{0}, rows.size(), [&](std::size_t row) {
        set_shown(rows.row(row), shown.bits.data() + row * shown.row_bytes());
    });
    return shown;
}

} // namespace bowhist
