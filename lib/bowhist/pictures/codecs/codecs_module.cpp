#include <bowhist/pictures/codecs/decoders.hpp>

#include <bowhist/core/error.hpp>

namespace bowhist {
namespace {

/// Nothing of a library that this build lacks is called, so its files need not be there.
DecodedImage decode(const EncodedFile &file, Color color, int side) {
    const Decoder decoder = file.header.decoder;
    if constexpr (BOWHIST_HAS_GIFLIB)
        if (decoder == Decoder::giflib) return {decode_gif(file, color, side), {}, {}};
    if constexpr (BOWHIST_HAS_LIBHEIF)
        if (decoder == Decoder::libheif) return {decode_heif(file, color, side), {}, {}};
    if constexpr (BOWHIST_HAS_OPENJPEG)
        if (decoder == Decoder::openjpeg) return {decode_subsampled_jp2(file, color, side), {}, {}};
    if constexpr (BOWHIST_HAS_OPENCV)
        if (decoder == Decoder::opencv) return decode_by_opencv(file, color, side);
    throw Error(Fault::input, "a picture that no library of this build decodes");
}

constexpr Codecs codecs_of_this_build() {
    Codecs codecs{.decode = decode};
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
