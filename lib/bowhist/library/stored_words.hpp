#pragma once

#include <bowhist/library/places.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace bowhist {

constexpr std::size_t bytes_of_word(std::size_t vocabulary_size) {
    return vocabulary_size > 65536 ? 4 : 2;
}

/// Words as the library keeps them: little-endian, of 2 bytes, of 4 where there are more than
/// 65536. @return nothing where one is no word of the vocabulary, or bytes are left over
std::optional<std::vector<std::uint32_t>> read_words(std::string_view bytes,
                                                     std::size_t vocabulary_size);

/// Places as the library keeps them. @return nothing where bytes are left over
std::optional<std::vector<Place>> read_places(std::string_view bytes);

} // namespace bowhist
