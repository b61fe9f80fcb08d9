#pragma once

#include <bowhist/pictures/bytes.hpp>

#include <algorithm>
#include <span>

namespace bowhist {

/// Calls visit(type, offset, length) for each whole chunk of a PNG up to IEND: the offset and
/// length of the chunk with its own length, type and CRC. @return whether there is an IEND
template <typename Visit>
bool for_each_png_chunk(const Bytes &file, Visit visit) {
    std::uint64_t at = 8; // behind the signature
    while (file.holds(at, 12) && file.holds(at, 12 + file.big(at, 4))) {
        const auto type = file.text(at + 4, 4);
        const auto length = 12 + file.big(at, 4);
        visit(type, at, length);
        if (type == "IEND") return true;
        at += length;
    }
    return false;
}

/// Moves what pixels are made of to the front of a PNG's bytes, and returns it: the critical chunks
/// and tRNS.
///
/// The rest (profiles, text, animation) changes no pixel that OpenCV decodes, but libpng complains
/// about it on standard error: "iCCP: known incorrect sRGB profile" is in every other PNG.
/// @param png  a file whose chunks are complete up to IEND
inline std::span<char> drop_ancillary_chunks(std::span<char> png) {
    const Bytes file({png.data(), png.size()});
    auto kept = std::min<std::uint64_t>(8, png.size()); // behind the signature
    for_each_png_chunk(file, [&](std::string_view type, std::uint64_t at, std::uint64_t length) {
        const bool is_critical = (type[0] & 0x20) == 0; // an upper-case first letter
        if (!is_critical && type != "tRNS") return;
        std::copy_n(png.begin() + static_cast<std::ptrdiff_t>(at), length,
                    png.begin() + static_cast<std::ptrdiff_t>(kept));
        kept += length;
    });
    return png.first(kept);
}

} // namespace bowhist
