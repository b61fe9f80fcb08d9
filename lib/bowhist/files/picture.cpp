#include <bowhist/files/picture.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/files/decoding_gate.hpp>
#include <bowhist/files/gif_decoder.hpp>
#include <bowhist/files/jpeg/decode_jpeg.hpp>
#include <bowhist/files/jpeg/encode_jpeg.hpp>
#include <bowhist/files/opencv_decoder.hpp>
#include <bowhist/files/picture_file.hpp>

#include <fmt/format.h>

#include <new>

namespace bowhist {
namespace {

/// A damaged JPEG is refused, or, where the limits keep it, told in `damage`.
Raster decode(PictureFile file, const PictureLimits &limits, Colour colour, std::string &damage) {
    if (file.header.decoder == Decoder::giflib) return decode_gif(file, colour, limits.max_side);
    if (file.header.decoder == Decoder::opencv)
        return decode_by_opencv(std::move(file), colour, limits.max_side);
    DecodedJpeg jpeg = decode_jpeg(file, colour, limits.max_side);
    if (!jpeg.damage.empty() && !limits.keep_damaged)
        throw Error(Fault::input, fmt::format("damaged ({}); get the picture again, or take it as "
                                              "it is with --keep-damaged",
                                              jpeg.damage));
    damage = std::move(jpeg.damage);
    return std::move(jpeg.picture);
}

/// Whatever a decoder does ends as an Error that names the path.
Raster read_raster(const std::filesystem::path &path, const PictureLimits &limits, Colour colour,
                   std::string *damage) {
    static DecodingGate gate; // one for the process, whose memory it guards
    PictureFile file = read_picture_file(path, limits);
    const std::string_view format = file.header.format;
    const auto pass = gate.enter(bytes_to_decode(file.header), limits.max_bytes, limits.observer);
    std::string why;
    try {
        Raster picture = decode(std::move(file), limits, colour, why);
        if (damage != nullptr && !why.empty())
            *damage = fmt::format("{}: damaged ({}), taken as it is", printable(path), why);
        return picture;
    } catch (const Error &error) {
        why = error.what();
    } catch (const std::bad_alloc &) {
        why = fmt::format("not enough memory to decode this {}; shrink it or lower --max-pixels",
                          format);
    }
    throw Error(Fault::input, fmt::format("{}: {}", printable(path), why));
}

} // namespace

Image read_picture(const std::filesystem::path &path, const PictureLimits &limits,
                   std::string *damage) {
    Raster grey = read_raster(path, limits, Colour::grey, damage);
    return {grey.width, grey.height, std::move(grey.samples)};
}

std::string thumbnail_jpeg(const std::filesystem::path &path, int side) {
    return encode_jpeg(
        read_raster(path, {.max_side = side, .keep_damaged = true}, Colour::bgr, nullptr));
}

} // namespace bowhist
