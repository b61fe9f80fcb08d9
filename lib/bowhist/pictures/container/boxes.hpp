#pragma once

#include <bowhist/pictures/bytes.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace bowhist {

/// A box of a HEIC, AVIF or JPEG 2000: a length, a type, and what it holds.
struct IsoBox {
    std::string_view type;
    std::uint64_t at;    ///< where it begins
    std::uint64_t begin; ///< of what it holds
    std::uint64_t end;
    bool is_whole; ///< false: it promises more bytes than there are
};

/// The box at `at`, within `end`. Lengths count from the box's first byte: 0 goes to the end, 1 is
/// followed by one of 64 bits.
inline IsoBox box_at(const Bytes &file, std::uint64_t at, std::uint64_t end) {
    const bool is_long = file.big(at, 4) == 1;
    const std::uint64_t said = is_long ? file.big(at + 8, 8) : file.big(at, 4);
    const std::uint64_t length = said == 0 ? end - at : said;
    const std::uint64_t begin = std::min(at + (is_long ? 16 : 8), end);
    const bool is_whole = length >= begin - at && length <= end - at;
    return {file.text(at + 4, 4), at, begin, is_whole ? at + length : end, is_whole};
}

/// Calls visit(box) for each box from `at` to `end`, until one is not whole or visit returns false;
/// one that returns nothing visits all of them.
template <typename Visit>
void for_each_box(const Bytes &file, std::uint64_t at, std::uint64_t end, Visit visit) {
    while (at < end && end - at >= 8) {
        const IsoBox box = box_at(file, at, end);
        if constexpr (std::is_void_v<std::invoke_result_t<Visit, IsoBox>>)
            visit(box);
        else if (!visit(box))
            return;
        if (!box.is_whole) return;
        at = box.end;
    }
}

} // namespace bowhist
