#include <bowhist/pictures/codecs/decoders.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/large_memory.hpp>
#include <bowhist/pictures/area_average.hpp>
#include <bowhist/pictures/raster.hpp>

#include <fmt/format.h>
#include <openjpeg.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string_view>
#include <vector>

namespace bowhist {
namespace {

using Codec = std::unique_ptr<opj_codec_t, Release<opj_destroy_codec>>;
using Stream = std::unique_ptr<opj_stream_t, Release<opj_stream_destroy>>;
using Planes = std::unique_ptr<opj_image_t, Release<opj_image_destroy>>;

void require(bool is_so) {
    if (!is_so) throw Error(Fault::input, "damaged; get the picture again");
}

/// A file in memory, as OpenJPEG reads it.
struct Source {
    std::string_view bytes;
    std::size_t at = 0;

    std::size_t skip(std::size_t count) {
        const auto taken = std::min(count, bytes.size() - at);
        at += taken;
        return taken;
    }
};

OPJ_SIZE_T read(void *to, OPJ_SIZE_T count, void *user) {
    auto &source = *static_cast<Source *>(user);
    const auto part = source.bytes.substr(source.at, count);
    std::ranges::copy(part, static_cast<char *>(to));
    source.skip(part.size());
    return part.empty() ? static_cast<OPJ_SIZE_T>(-1) : part.size();
}

OPJ_OFF_T skip(OPJ_OFF_T count, void *user) {
    if (count < 0) return -1;
    return static_cast<OPJ_OFF_T>(
        static_cast<Source *>(user)->skip(static_cast<std::size_t>(count)));
}

OPJ_BOOL seek(OPJ_OFF_T to, void *user) {
    auto &source = *static_cast<Source *>(user);
    if (to < 0 || static_cast<std::size_t>(to) > source.bytes.size()) return OPJ_FALSE;
    source.at = static_cast<std::size_t>(to);
    return OPJ_TRUE;
}

Stream open(Source &source) {
    Stream stream(opj_stream_default_create(OPJ_TRUE));
    if (!stream) throw std::bad_alloc();
    opj_stream_set_user_data(stream.get(), &source, nullptr);
    opj_stream_set_user_data_length(stream.get(), source.bytes.size());
    opj_stream_set_read_function(stream.get(), read);
    opj_stream_set_skip_function(stream.get(), skip);
    opj_stream_set_seek_function(stream.get(), seek);
    return stream;
}

Planes decode_planes(const EncodedFile &file) {
    Source source{{file.bytes.data(), file.bytes.size()}};
    const Stream stream = open(source);
    const bool is_bare = source.bytes.starts_with('\xFF');
    const Codec codec(opj_create_decompress(is_bare ? OPJ_CODEC_J2K : OPJ_CODEC_JP2));
    if (!codec) throw std::bad_alloc();
    opj_dparameters_t parameters;
    opj_set_default_decoder_parameters(&parameters);
    require(opj_setup_decoder(codec.get(), &parameters) != OPJ_FALSE);
    opj_image_t *image = nullptr;
    const bool has_header = opj_read_header(stream.get(), codec.get(), &image) != OPJ_FALSE;
    Planes planes(image);
    require(has_header && planes->x1 - planes->x0 == file.header.width &&
            planes->y1 - planes->y0 == file.header.height);
    require(opj_decode(codec.get(), stream.get(), image) != OPJ_FALSE &&
            opj_end_decompress(codec.get(), stream.get()) != OPJ_FALSE);
    return planes;
}

/// A component's samples as those of whole rows of the image, from 0 to 1; each stands for as
/// many pixels as it covers.
class Component {
  public:
    Component(const opj_image_t &image, const opj_image_comp_t &samples)
        : image_(image), samples_(samples),
          low_(samples.sgnd != 0 ? -std::ldexp(1.0F, static_cast<int>(samples.prec) - 1) : 0.0F),
          scale_(1.0F / (std::ldexp(1.0F, static_cast<int>(samples.prec)) - 1.0F)) {
        require(samples.data != nullptr && samples.w > 0 && samples.h > 0);
    }

    float at(std::uint32_t x, std::uint32_t y) const {
        const auto column = place(image_.x0 + x, samples_.dx, samples_.x0, samples_.w);
        const auto row = place(image_.y0 + y, samples_.dy, samples_.y0, samples_.h);
        const auto sample = samples_.data[static_cast<std::size_t>(row) * samples_.w + column];
        return (static_cast<float>(sample) - low_) * scale_;
    }

  private:
    static std::uint32_t place(std::uint32_t on_grid, std::uint32_t step, std::uint32_t first,
                               std::uint32_t count) {
        const std::uint32_t cell = on_grid / step;
        return cell > first ? std::min(cell - first, count - 1) : 0;
    }

    const opj_image_t &image_;
    const opj_image_comp_t &samples_;
    float low_;
    float scale_;
};

std::uint8_t to_byte(float share) {
    return static_cast<std::uint8_t>(std::clamp(share * 255.0F + 0.5F, 0.0F, 255.0F));
}

/// Writes the image's rows in grey or BGR.
class Rows {
  public:
    Rows(const opj_image_t &image, Color color) : color_(color) {
        const auto shown = image.numcomps >= 3 ? 3U : 1U; // alpha, and what else there is, is not
        for (std::uint32_t i = 0; i < shown; ++i) components_.emplace_back(image, image.comps[i]);
        const bool is_said = image.color_space == OPJ_CLRSPC_SYCC;
        const bool is_rgb = image.color_space == OPJ_CLRSPC_SRGB;
        has_luma_ = shown == 3 && (is_said || !is_rgb);
    }

    void write(std::uint32_t y, std::uint32_t width, std::uint8_t *to) const {
        for (std::uint32_t x = 0; x < width; ++x) to = put(x, y, to);
    }

  private:
    std::uint8_t *put(std::uint32_t x, std::uint32_t y, std::uint8_t *to) const {
        const float first = components_[0].at(x, y);
        const bool is_grey = components_.size() == 1 || (has_luma_ && color_ == Color::grey);
        if (is_grey) return std::fill_n(to, static_cast<int>(color_), to_byte(first));
        const float second = components_[1].at(x, y);
        const float third = components_[2].at(x, y);
        if (!has_luma_)
            return put_pixel(to, color_, to_byte(first), to_byte(second), to_byte(third));
        const float blue = second - 0.5F; // chroma, as JPEG has it
        const float red = third - 0.5F;
        return put_pixel(to, color_, to_byte(first + 1.402F * red),
                         to_byte(first - 0.344136F * blue - 0.714136F * red),
                         to_byte(first + 1.772F * blue));
    }

    Color color_;
    std::vector<Component> components_;
    bool has_luma_ = false;
};

} // namespace

Raster decode_subsampled_jp2(const EncodedFile &file, Color color, int side) {
    const Planes planes = decode_planes(file);
    const PixelSize full{static_cast<int>(file.header.width), static_cast<int>(file.header.height)};
    const Rows rows(*planes, color);
    AreaAverage average(full, shrunk(full, side), color);
    std::vector<std::uint8_t> row(file.header.width * static_cast<std::size_t>(color));
    for (std::uint32_t y = 0; y < file.header.height; ++y) {
        rows.write(y, static_cast<std::uint32_t>(full.width), row.data());
        average.add(row.data());
    }
    return average.take();
}

} // namespace bowhist
