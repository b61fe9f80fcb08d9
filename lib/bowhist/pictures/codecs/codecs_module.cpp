#include <bowhist/pictures/codecs/decoders.hpp>

#include <bowhist/core/error.hpp>

namespace bowhist {
namespace {

/// Nothing of a library that this build lacks is called, so its files need not be there.
DecodedImage decode(const EncodedFile &file, Color color, int side) {
    const Decoder decoder = file.header.decoder;
    if constexpr (BOWHIST_HAS_GIFLIB)
        if (decoder == Decoder::giflib)
            return {decode_gif_frames(file, color, side, 1).front(), {}, {}};
    if constexpr (BOWHIST_HAS_LIBHEIF)
        if (decoder == Decoder::libheif) return {decode_heif(file, color, side), {}, {}};
    if constexpr (BOWHIST_HAS_OPENJPEG)
        if (decoder == Decoder::openjpeg) return {decode_subsampled_jp2(file, color, side), {}, {}};
    if constexpr (BOWHIST_HAS_OPENCV)
        if (decoder == Decoder::opencv) return decode_by_opencv(file, color, side);
    throw Error(Fault::input, "a picture that no library of this build decodes");
}

std::vector<Raster> decode_frames(const EncodedFile &file, int side, std::size_t most) {
    if constexpr (BOWHIST_HAS_GIFLIB)
        if (file.header.decoder == Decoder::giflib)
            return decode_gif_frames(file, Color::grey, side, most);
    if constexpr (BOWHIST_HAS_OPENCV)
        if (file.header.decoder == Decoder::opencv)
            return decode_frames_by_opencv(file, side, most);
    return {decode(file, Color::grey, side).image};
}

constexpr Codecs codecs_of_this_build() {
    Codecs codecs{.decode = decode, .decode_frames = decode_frames};
    if constexpr (BOWHIST_HAS_OPENCV) {
        codecs.encode = encode_by_opencv;
        codecs.draw = draw_by_opencv;
        codecs.use_one_thread = use_one_opencv_thread;
    }
    return codecs;
}

} // namespace
} // namespace bowhist

// The one name that codecs.cpp looks up.
extern "C" const bowhist::Codecs bowhist_codecs;
extern "C" constexpr bowhist::Codecs bowhist_codecs = bowhist::codecs_of_this_build();
