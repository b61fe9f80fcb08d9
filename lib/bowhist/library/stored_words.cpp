#include <bowhist/library/stored_words.hpp>

namespace bowhist {

std::optional<std::vector<std::uint32_t>> read_words(std::string_view bytes,
                                                     std::size_t vocabulary_size) {
    const std::size_t size = bytes_of_word(vocabulary_size);
    if (bytes.size() % size != 0) return std::nullopt;
    std::vector<std::uint32_t> words;
    words.reserve(bytes.size() / size);
    for (; !bytes.empty(); bytes.remove_prefix(size)) {
        std::uint32_t word = 0;
        for (std::size_t i = size; i-- > 0;)
            word = word << 8U | static_cast<unsigned char>(bytes[i]);
        if (word >= vocabulary_size) return std::nullopt;
        words.push_back(word);
    }
    return words;
}

std::optional<std::vector<Place>> read_places(std::string_view bytes) {
    if (bytes.size() % place_bytes != 0) return std::nullopt;
    std::vector<Place> places;
    places.reserve(bytes.size() / place_bytes);
    for (; !bytes.empty(); bytes.remove_prefix(place_bytes)) places.push_back(read_place(bytes));
    return places;
}

} // namespace bowhist
