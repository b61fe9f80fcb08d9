#pragma once

#include "tests/pictures/make_pictures.hpp"

#include <libheif/heif.h>

#include <catch2/catch.hpp>

#include <string>
#include <string_view>

struct HeifOptions {
    heif_orientation orientation = heif_orientation_normal;
    int quality = 95;
    bool deep = false;     ///< 10 bits a sample; else 8
    std::string exif = {}; ///< a block that is kept beside the image
    const char *chroma = "420";
};

inline void require_ok(const heif_error &error) {
    INFO(error.message);
    REQUIRE(error.code == heif_error_Ok);
}

/// libheif's image of 8 bits BGR or BGRA.
inline heif_image *heif_of(const cv::Mat &pixels, bool deep) {
    const bool has_alpha = pixels.channels() == 4;
    cv::Mat colors;
    cv::cvtColor(pixels, colors, has_alpha ? cv::COLOR_BGRA2RGBA : cv::COLOR_BGR2RGB);
    if (deep) colors.convertTo(colors, CV_16U, 1023.0 / 255);
    const auto chroma =
        deep ? has_alpha ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RRGGBB_LE
        : has_alpha ? heif_chroma_interleaved_RGBA
                    : heif_chroma_interleaved_RGB;
    heif_image *image = nullptr;
    require_ok(heif_image_create(colors.cols, colors.rows, heif_colorspace_RGB, chroma, &image));
    require_ok(heif_image_add_plane(image, heif_channel_interleaved, colors.cols, colors.rows,
                                    deep ? 10 : 8));
    int stride = 0;
    auto *to = heif_image_get_plane(image, heif_channel_interleaved, &stride);
    for (int y = 0; y < colors.rows; ++y)
        std::copy_n(colors.ptr<std::uint8_t>(y), colors.cols * colors.elemSize(),
                    to + y * static_cast<std::ptrdiff_t>(stride));
    return image;
}

inline std::string encode_heif(const cv::Mat &pixels, heif_compression_format codec,
                               const HeifOptions &how = {}) {
    heif_context *context = heif_context_alloc();
    heif_encoder *encoder = nullptr;
    require_ok(heif_context_get_encoder_for_format(context, codec, &encoder));
    heif_encoder_set_lossy_quality(encoder, how.quality);
    heif_encoder_set_parameter(encoder, "preset", "ultrafast"); // x265's
    heif_encoder_set_parameter(encoder, "speed", "9");          // AOM's
    heif_encoder_set_parameter(encoder, "chroma", how.chroma);
    heif_encoding_options *options = heif_encoding_options_alloc();
    options->image_orientation = how.orientation;
    heif_image *image = heif_of(pixels, how.deep);
    heif_image_handle *handle = nullptr;
    require_ok(heif_context_encode_image(context, image, encoder, options, &handle));
    if (!how.exif.empty())
        require_ok(heif_context_add_exif_metadata(context, handle, how.exif.data(),
                                                  static_cast<int>(how.exif.size())));
    heif_image_handle_release(handle);
    std::string bytes;
    heif_writer writer = {1, [](heif_context *, const void *data, size_t size, void *to) {
                              static_cast<std::string *>(to)->assign(
                                  static_cast<const char *>(data), size);
                              return heif_error{heif_error_Ok, heif_suberror_Unspecified, ""};
                          }};
    require_ok(heif_context_write(context, &writer, &bytes));
    heif_image_release(image);
    heif_encoding_options_free(options);
    heif_encoder_release(encoder);
    heif_context_free(context);
    return bytes;
}

/// The codecs that this libheif can write as well as read.
inline std::vector<heif_compression_format> heif_codecs() {
    std::vector<heif_compression_format> result;
    for (const auto codec : {heif_compression_HEVC, heif_compression_AV1}) {
        if (heif_have_encoder_for_format(codec) != 0 && heif_have_decoder_for_format(codec) != 0)
            result.push_back(codec);
        else
            WARN("skipped: this libheif cannot write "
                 << (codec == heif_compression_AV1 ? "AVIF" : "HEIC"));
    }
    return result;
}

inline std::string big_endian(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = bytes; i-- > 0;) text += static_cast<char>(value >> 8 * i);
    return text;
}

inline std::string box(std::string_view type, const std::string &payload) {
    return big_endian(8 + payload.size(), 4) + std::string(type) + payload;
}

/// The file with another size in its first ispe.
inline std::string with_ispe(std::string file, std::uint32_t width, std::uint32_t height) {
    return file.replace(file.find("ispe") + 8, 8, big_endian(width, 4) + big_endian(height, 4));
}
