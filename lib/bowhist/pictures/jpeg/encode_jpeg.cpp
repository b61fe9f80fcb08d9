#include <bowhist/pictures/jpeg/encode_jpeg.hpp>

#include <bowhist/pictures/jpeg/jpeg_errors.hpp>

#include <cstdlib>

namespace bowhist {
namespace {

/// libjpeg's encoder and the memory that it writes to.
struct Encoder {
    Encoder() { object.err = &errors; }
    ~Encoder() {
        jpeg_destroy_compress(&object);
        std::free(bytes);
    }
    Encoder(const Encoder &) = delete;
    Encoder &operator=(const Encoder &) = delete;

    JpegErrors errors;
    jpeg_compress_struct object = {};
    unsigned char *bytes = nullptr;
    unsigned long size = 0;
};

std::string encode(const Raster &image, J_COLOR_SPACE space) {
    constexpr int quality = 80;
    Encoder encoder;
    encoder.errors.guard([&encoder, &image, space] {
        jpeg_compress_struct &object = encoder.object;
        jpeg_create_compress(&object);
        jpeg_mem_dest(&object, &encoder.bytes, &encoder.size);
        object.image_width = static_cast<JDIMENSION>(image.width);
        object.image_height = static_cast<JDIMENSION>(image.height);
        object.input_components = static_cast<int>(image.color);
        object.in_color_space = space;
        jpeg_set_defaults(&object);
        jpeg_set_quality(&object, quality, TRUE);
        jpeg_start_compress(&object, TRUE);
        while (object.next_scanline < object.image_height) {
            auto *row = const_cast<JSAMPROW>(image.samples.data() +
                                             object.next_scanline * image.row_samples());
            jpeg_write_scanlines(&object, &row, 1);
        }
        jpeg_finish_compress(&object);
    });
    return {reinterpret_cast<const char *>(encoder.bytes), encoder.size};
}

} // namespace

std::string encode_jpeg(const Raster &image) {
    return encode(image, image.color == Color::grey ? JCS_GRAYSCALE : JCS_EXT_BGR);
}

std::string encode_luma_and_chroma(const Raster &image) {
    return encode(image, JCS_YCbCr);
}

} // namespace bowhist
