#include <bowhist/pictures/module/decoders.hpp>

namespace bowhist {
namespace {

DecodedPicture decode(const EncodedPicture &file, Colour colour, int side) {
    if (file.header.decoder == Decoder::giflib) return {decode_gif(file, colour, side), {}, {}};
    if (file.header.decoder == Decoder::libheif) return {decode_heif(file, colour, side), {}, {}};
    if (file.header.is_subsampled) return {decode_subsampled_jp2(file, colour, side), {}, {}};
    return decode_by_opencv(file, colour, side);
}

} // namespace
} // namespace bowhist

// The one name that codecs.cpp looks up.
extern "C" const bowhist::Codecs bowhist_codecs;
extern "C" const bowhist::Codecs bowhist_codecs = {bowhist::decode, bowhist::encode_by_opencv,
                                                   bowhist::draw_by_opencv,
                                                   bowhist::use_one_opencv_thread};
