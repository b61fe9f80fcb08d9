#include <bowhist/pictures/jpeg/jpeg_rows.hpp>

#include <algorithm>

namespace bowhist {
namespace {

// The weights of red, green and blue in grey, in 1/2^14.
constexpr int bits = 14;
constexpr int red_weight = 4899;   // 0.299
constexpr int green_weight = 9617; // 0.587
constexpr int blue_weight = (1 << bits) - red_weight - green_weight;

/// Turns a row of inverted CMYK, as Adobe stores it in JPEGs, into grey or BGR, at the row's
/// beginning. The same bytes as OpenCV. A JPEG without Adobe's marker is taken for inverted, too,
/// as Pillow and OpenCV do: those that mean the opposite do not say so.
void convert_cmyk(std::vector<std::uint8_t> &row, Color color) {
    auto *to = row.data();
    for (std::size_t i = 0; i + 4 <= row.size(); i += 4) {
        const int black = row[i + 3];
        const auto light = [&](int ink) { return black - ((255 - ink) * black >> 8); };
        const int red = light(row[i]);
        const int green = light(row[i + 1]);
        const int blue = light(row[i + 2]);
        if (color == Color::grey) {
            const int sum = blue * blue_weight + green * green_weight + red * red_weight;
            *to++ = static_cast<std::uint8_t>((sum + (1 << (bits - 1))) >> bits);
        } else {
            *to++ = static_cast<std::uint8_t>(blue);
            *to++ = static_cast<std::uint8_t>(green);
            *to++ = static_cast<std::uint8_t>(red);
        }
    }
}

} // namespace

JpegRows::JpegRows() {
    decoder_.err = &errors_;
}

// Behind the other constructor, so that the destructor clears up after a failure in this one.
JpegRows::JpegRows(std::string_view bytes) : JpegRows() {
    bytes_ = bytes;
    errors_.guard([this, bytes] {
        jpeg_create_decompress(&decoder_);
        jpeg_mem_src(&decoder_, reinterpret_cast<const unsigned char *>(bytes.data()),
                     bytes.size());
        jpeg_read_header(&decoder_, TRUE);
    });
}

PixelSize JpegRows::full_size() const {
    return {static_cast<int>(decoder_.image_width), static_cast<int>(decoder_.image_height)};
}

bool JpegRows::has_luma() const {
    const jpeg_component_info &luma = decoder_.comp_info[0];
    return decoder_.jpeg_color_space == JCS_YCbCr &&
           luma.h_samp_factor == decoder_.max_h_samp_factor &&
           luma.v_samp_factor == decoder_.max_v_samp_factor;
}

PixelSize JpegRows::size() const {
    return {static_cast<int>(decoder_.output_width), static_cast<int>(decoder_.output_height)};
}

void JpegRows::start(Color color, int by) {
    color_ = color;
    const bool is_cmyk = decoder_.num_components == 4; // or YCCK
    const bool is_grey = color == Color::grey;
    decoder_.out_color_space = is_cmyk ? JCS_CMYK : is_grey ? JCS_GRAYSCALE : JCS_EXT_BGR;
    start_decoder(by);
}

void JpegRows::start_with_chroma(int by) {
    color_ = Color::bgr;
    decoder_.out_color_space = JCS_YCbCr;
    decoder_.do_fancy_upsampling = FALSE; // of chroma alone
    start_decoder(by);
}

void JpegRows::start_decoder(int by) {
    decoder_.scale_num = 1;
    decoder_.scale_denom = static_cast<unsigned>(by);
    errors_.guard([this] { jpeg_start_decompress(&decoder_); });
    row_.resize(static_cast<std::size_t>(decoder_.output_width) * decoder_.output_components);
}

const std::uint8_t *JpegRows::next() {
    errors_.guard([this] {
        JSAMPROW row = row_.data();
        jpeg_read_scanlines(&decoder_, &row, 1);
    });
    if (decoder_.out_color_space == JCS_CMYK) convert_cmyk(row_, color_);
    return row_.data();
}

void JpegRows::finish() {
    errors_.guard([this] { jpeg_finish_decompress(&decoder_); });
}

std::string JpegRows::damage() const {
    const std::string damage = errors_.damage();
    const bool is_cut = damage.empty() && errors_.lacks_end() && !ends_in_coded_data();
    return is_cut ? "its data stops before the end, and other data follows" : damage;
}

/// Whether the last bytes that made pixels look at random, as coded data does. Zeros and text,
/// which follow where a copy stopped, have no byte above 127; coded data has none once in 2^32.
/// Nothing follows the image if nothing is left over.
bool JpegRows::ends_in_coded_data() const {
    constexpr std::size_t enough = 32;
    const std::size_t left_over = errors_.left_over();
    if (left_over == 0 || bytes_.size() < left_over + enough) return true;
    return std::ranges::any_of(bytes_.substr(bytes_.size() - left_over - enough, enough),
                               [](char byte) { return static_cast<unsigned char>(byte) > 127; });
}

} // namespace bowhist
