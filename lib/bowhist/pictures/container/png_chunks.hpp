#pragma once

#include <span>

namespace bowhist {

/// Moves what pixels are made of to the front of a PNG's bytes, and returns it: the critical chunks
/// and tRNS.
///
/// The rest (profiles, text, animation) changes no pixel that OpenCV decodes, but libpng complains
/// about it on standard error: "iCCP: known incorrect sRGB profile" is in every other PNG.
/// @param png  a file whose chunks are complete up to IEND
std::span<char> drop_ancillary_chunks(std::span<char> png);

} // namespace bowhist
