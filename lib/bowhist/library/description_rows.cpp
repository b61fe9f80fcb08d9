#include <bowhist/library/description_rows.hpp>

#include <bowhist/library/file/row_sum.hpp>
#include <bowhist/library/settings.hpp>
#include <bowhist/library/stored_words.hpp>

#include <algorithm>
#include <limits>

namespace bowhist {

DescriptionRows::DescriptionRows(Catalogue &catalogue)
    : catalogue_(catalogue), sizes_(compared_sizes(catalogue.database())),
      words_(catalogue.database(),
             "SELECT words, places, mirrored, checksum FROM words WHERE content = ?1"),
      code_(catalogue.database(),
            "SELECT descriptors, code, checksum FROM codes WHERE content = ?1"),
      thumbnail_(catalogue.database(), "SELECT jpeg, checksum FROM thumbnails WHERE content = ?1") {
    const LibrarySettings holds = settings_of(catalogue.about("holds").value_or(""));
    has_positions_ = holds.positions;
    has_mirrored_ = holds.mirrored;
}

/// Verifies all but the words themselves.
void DescriptionRows::step_to_words(RowId content) {
    const bool is_there = sizes_.words > 0 && words_.with(content).step();
    if (!is_there) catalogue_.fail_damaged("words", content);
    const auto bytes = [&](int column) {
        return words_.is_null(column) ? std::nullopt : std::optional(words_.bytes(column));
    };
    const auto places = bytes(1), mirrored = bytes(2);
    const std::size_t keypoints = words_.bytes(0).size() / bytes_of_word(sizes_.words);
    // an image without keypoints may lack either
    const bool may_lack_places = !has_positions_ || keypoints == 0;
    const bool may_lack_mirrored = !has_mirrored_ || keypoints == 0;
    const bool is_whole =
        words_.number(3) == RowSum::of(content, bytes(0), places, mirrored) &&
        (places ? places->size() == keypoints * place_bytes : may_lack_places) &&
        (mirrored ? mirrored->size() == words_.bytes(0).size() : may_lack_mirrored);
    if (!is_whole) catalogue_.fail_damaged("words", content);
}

std::vector<std::uint32_t> DescriptionRows::words_in(int column, RowId content) const {
    auto words = read_words(words_.bytes(column), sizes_.words);
    if (!words) catalogue_.fail_damaged("words", content);
    return *std::move(words);
}

std::vector<std::uint32_t> DescriptionRows::words_alone(RowId content) {
    step_to_words(content);
    auto words = words_in(0, content);
    if (!std::ranges::is_sorted(words)) catalogue_.fail_damaged("words", content);
    words_.reset();
    return words;
}

Library::Words DescriptionRows::words(RowId content) {
    step_to_words(content);
    Library::Words all;
    if (!words_.is_null(1)) all.places = read_places(words_.bytes(1)).value();
    if (!words_.is_null(2)) all.mirrored = words_in(2, content);
    all.words = words_in(0, content);
    if (!std::ranges::is_sorted(all.words)) catalogue_.fail_damaged("words", content);
    words_.reset();
    return all;
}

void DescriptionRows::step_to_code(RowId content) {
    const bool is_there = sizes_.dimensions > 0 && code_.with(content).step();
    if (!is_there) catalogue_.fail_damaged("codes", content);
    const std::int64_t descriptors = code_.number(0);
    const bool is_whole = code_.number(2) == RowSum::of(content, descriptors, code_.bytes(1)) &&
                          descriptors >= 0 &&
                          descriptors <= std::numeric_limits<std::uint32_t>::max() &&
                          code_.bytes(1).size() == sizes_.dimensions;
    if (!is_whole) catalogue_.fail_damaged("codes", content);
}

Library::Code DescriptionRows::code(RowId content) {
    step_to_code(content);
    const std::string_view bytes = code_.bytes(1);
    Library::Code row{static_cast<std::uint32_t>(code_.number(0)), {bytes.begin(), bytes.end()}};
    code_.reset();
    return row;
}

std::string DescriptionRows::thumbnail(RowId content) {
    if (!thumbnail_.with(content).step()) return {};
    std::string jpeg(thumbnail_.bytes(0));
    if (thumbnail_.number(1) != RowSum::of(content, jpeg))
        catalogue_.fail_damaged("thumbnails", content);
    thumbnail_.reset();
    return jpeg;
}

void DescriptionRows::add_to(ContentRow &row, RowId content) {
    if (sizes_.words > 0) {
        step_to_words(content);
        row.words = words_.bytes(0);
        row.places = words_.optional_bytes(1);
        row.mirrored = words_.optional_bytes(2);
        words_.reset();
    }
    if (sizes_.dimensions > 0) {
        step_to_code(content);
        row.descriptors = static_cast<std::uint32_t>(code_.number(0));
        row.code = code_.bytes(1);
        code_.reset();
    }
    if (std::string jpeg = thumbnail(content); !jpeg.empty()) row.thumbnail = std::move(jpeg);
}

} // namespace bowhist
