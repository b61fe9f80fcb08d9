#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <jpeglib.h>

#include <opencv2/core.hpp>

/// What OpenCV's encoder cannot write.
struct JpegForm {
    const char *name;
    J_COLOR_SPACE samples; ///< what the image's channels are
    J_COLOR_SPACE stored;
    int horizontal = 1; ///< of the first component, by how much it is finer than the others
    int vertical = 1;
    bool progressive = false;
    bool arithmetic = false;
};

inline const std::vector<JpegForm> &jpeg_forms() {
    static const std::vector<JpegForm> forms = {
        {"grey", JCS_GRAYSCALE, JCS_GRAYSCALE},
        {"YCbCr 4:4:4", JCS_EXT_BGR, JCS_YCbCr},
        {"YCbCr 4:2:0", JCS_EXT_BGR, JCS_YCbCr, 2, 2},
        {"YCbCr 4:2:2", JCS_EXT_BGR, JCS_YCbCr, 2, 1},
        {"YCbCr 4:1:1", JCS_EXT_BGR, JCS_YCbCr, 4, 1},
        {"YCbCr 4:4:0", JCS_EXT_BGR, JCS_YCbCr, 1, 2},
        {"progressive 4:2:0", JCS_EXT_BGR, JCS_YCbCr, 2, 2, true},
        {"progressive grey", JCS_GRAYSCALE, JCS_GRAYSCALE, 1, 1, true},
        {"arithmetic", JCS_EXT_BGR, JCS_YCbCr, 2, 2, false, true},
        {"RGB", JCS_EXT_BGR, JCS_RGB},
        {"progressive RGB", JCS_EXT_BGR, JCS_RGB, 1, 1, true},
        {"CMYK", JCS_CMYK, JCS_CMYK},
        {"YCCK", JCS_CMYK, JCS_YCCK},
        {"YCCK 4:2:0", JCS_CMYK, JCS_YCCK, 2, 2},
    };
    return forms;
}

/// A JPEG whose rows, of as many channels as the form's samples, are never in memory together.
template <typename RowOf>
std::string encode_jpeg_rows(const JpegForm &form, cv::Size size, int channels, RowOf row_of) {
    jpeg_error_mgr errors;
    jpeg_compress_struct object;
    object.err = jpeg_std_error(&errors);
    jpeg_create_compress(&object);
    unsigned char *bytes = nullptr;
    unsigned long length = 0;
    jpeg_mem_dest(&object, &bytes, &length);
    object.image_width = static_cast<JDIMENSION>(size.width);
    object.image_height = static_cast<JDIMENSION>(size.height);
    object.input_components = channels;
    object.in_color_space = form.samples;
    jpeg_set_defaults(&object);
    jpeg_set_colorspace(&object, form.stored);
    for (int i = 0; i < object.num_components; ++i) {
        const bool is_fine = i == 0 || i == 3; // black is as fine as luma
        object.comp_info[i].h_samp_factor = is_fine ? form.horizontal : 1;
        object.comp_info[i].v_samp_factor = is_fine ? form.vertical : 1;
    }
    if (form.progressive) jpeg_simple_progression(&object);
    object.arith_code = form.arithmetic ? TRUE : FALSE;
    jpeg_start_compress(&object, TRUE);
    for (int y = 0; y < size.height; ++y) {
        auto *row = const_cast<std::uint8_t *>(row_of(y));
        jpeg_write_scanlines(&object, &row, 1);
    }
    jpeg_finish_compress(&object);
    jpeg_destroy_compress(&object);
    const std::string result(reinterpret_cast<char *>(bytes), length);
    std::free(bytes);
    return result;
}

/// `image` has as many channels as the form's samples.
inline std::string encode_jpeg_as(const JpegForm &form, const cv::Mat &image) {
    return encode_jpeg_rows(form, image.size(), image.channels(),
                            [&](int y) { return image.ptr(y); });
}
