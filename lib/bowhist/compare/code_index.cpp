#include <bowhist/compare/code_index.hpp>

#include <bowhist/core/round_up.hpp>

#include <algorithm>

namespace bowhist {

CodeIndex::CodeIndex(std::size_t dimensions) : dimensions_(dimensions) {}

CodeIndex::CodeIndex(std::size_t dimensions, std::size_t images, std::size_t multiple)
    : dimensions_(dimensions), images_(images), memory_(round_up(images, multiple) * pairs() * 2) {
    const std::size_t groups = divided_up(images, group_images) * group_images;
    std::fill_n(memory_.get() + groups * pairs() * 2,
                (round_up(images, multiple) - groups) * pairs() * 2, std::int8_t{0});
}

void CodeIndex::add(std::span<const std::int8_t> code) {
    const std::size_t place = images_++ % group_images;
    const std::size_t group_bytes = group_images * pairs() * 2;
    if (place == 0) values_.resize(values_.size() + group_bytes);
    std::int8_t *group = values_.data() + values_.size() - group_bytes;
    for (std::size_t i = 0; i < dimensions_; ++i)
        group[(i / 2 * group_images + place) * 2 + i % 2] = code[i];
}

void CodeIndex::finish(std::size_t multiple) {
    values_.resize(round_up(images_, multiple) * pairs() * 2);
}

void CodeQueries::add(std::span<const std::int8_t> code) {
    const std::size_t pairs = (dimensions_ + 1) / 2;
    const std::size_t place = count_++ % at_once;
    if (place == 0) values_.resize(values_.size() + at_once * pairs);
    std::int32_t *last = values_.data() + values_.size() - at_once * pairs;
    for (std::size_t pair = 0; pair < pairs; ++pair) {
        const auto low = static_cast<std::uint16_t>(std::int16_t{code[2 * pair]});
        const auto high = static_cast<std::uint16_t>(
            2 * pair + 1 < dimensions_ ? std::int16_t{code[2 * pair + 1]} : std::int16_t{0});
        last[pair * at_once + place] = static_cast<std::int32_t>(low | std::uint32_t{high} << 16);
    }
}

std::uint32_t squared_norm(std::span<const std::int8_t> code) {
    std::uint32_t sum = 0;
    for (const std::int8_t value : code) sum += static_cast<std::uint32_t>(value * value);
    return sum;
}

} // namespace bowhist
