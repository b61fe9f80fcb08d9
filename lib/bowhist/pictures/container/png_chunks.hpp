#pragma once

#include <bowhist/pictures/bytes.hpp>

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
std::span<char> drop_ancillary_chunks(std::span<char> png);

} // namespace bowhist
