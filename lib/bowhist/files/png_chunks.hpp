#pragma once

#include <string>

namespace bowhist {

/// Keeps of a PNG's bytes what pixels are made of: the critical chunks and tRNS.
///
/// The rest (profiles, text, animation) changes no pixel that OpenCV decodes, but libpng complains
/// about it on standard error: "iCCP: known incorrect sRGB profile" is in every other PNG.
/// @param png  a file whose chunks are complete up to IEND
void drop_ancillary_chunks(std::string &png);

} // namespace bowhist
