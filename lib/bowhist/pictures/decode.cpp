#include <bowhist/pictures/decode.hpp>

#include <bowhist/pictures/codecs.hpp>
#include <bowhist/pictures/jpeg/decode_jpeg.hpp>

namespace bowhist {

DecodedPicture decode(const EncodedPicture &file, Colour colour, int side) {
    if (file.header.decoder == Decoder::libjpeg) return decode_jpeg(file, colour, side);
    return {codecs().decode(file, colour, side), {}};
}

} // namespace bowhist
