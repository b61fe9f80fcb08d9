#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bowhist {

/// How much color an image has beyond a tone, in thousandths of a level of chroma: about 0 for a
/// grey, sepia or otherwise toned image, whose chroma is a function of its luma.
///
/// Chroma (Cb, Cr) is averaged over blocks of 16 x 16 pixels, or 8 x 8 in small images: JPEG keeps
/// no more of it than that. A tone curve, chroma by luma with 17 knots, is fitted to the blocks by
/// least squares; the luma of each pixel counts, not only the block's mean. The result is the root
/// of the mean square of what the curve leaves. It is the same on every machine.
/// @param jpeg  a thumbnail as the library keeps it
/// @return nothing where there are too few blocks, or the bytes are no sound JPEG of luma and
/// chroma
std::optional<std::int64_t> chroma_beyond_tone(std::string_view jpeg);

} // namespace bowhist
