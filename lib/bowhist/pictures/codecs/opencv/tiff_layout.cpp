#include <bowhist/pictures/codecs/opencv/tiff_layout.hpp>

#include <algorithm>

namespace bowhist {

TiffLayout::TiffLayout(const TiffFile &file) {
    width = static_cast<int>(file.get<std::uint32_t>(TIFFTAG_IMAGEWIDTH, 0));
    height = static_cast<int>(file.get<std::uint32_t>(TIFFTAG_IMAGELENGTH, 0));
    bits = file.get<std::uint16_t>(TIFFTAG_BITSPERSAMPLE, 1);
    samples = file.get<std::uint16_t>(TIFFTAG_SAMPLESPERPIXEL, 1);
    format = file.get<std::uint16_t>(TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
    if (format == SAMPLEFORMAT_VOID) format = SAMPLEFORMAT_UINT;
    const std::uint16_t likely = samples < 3 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB;
    photometric = file.said<std::uint16_t>(TIFFTAG_PHOTOMETRIC).value_or(likely);
    has_planes = samples > 1 && file.get<std::uint16_t>(TIFFTAG_PLANARCONFIG, 1) == 2;
    is_tiled = TIFFIsTiled(file.get()) != 0;
    const auto all = static_cast<std::uint32_t>(height);
    const auto rows = file.get<std::uint32_t>(TIFFTAG_ROWSPERSTRIP, all);
    piece_width = is_tiled ? file.get<std::int32_t>(TIFFTAG_TILEWIDTH, 0) : width;
    piece_height = is_tiled ? file.get<std::int32_t>(TIFFTAG_TILELENGTH, 0)
                            : static_cast<int>(std::min(rows, all));
    if (width <= 0 || height <= 0 || piece_width <= 0 || piece_height <= 0)
        throw unreadable_tiff("no size");
    find_colors(file);
}

/// Three samples of grey are colors whose writer left the kind at its default. An extra sample of
/// no stated kind is no alpha: it may be infrared, or a selection of an editor.
void TiffLayout::find_colors(const TiffFile &file) {
    std::uint16_t extra = 0;
    const std::uint16_t *kinds = nullptr;
    if (TIFFGetField(file.get(), TIFFTAG_EXTRASAMPLES, &extra, &kinds) != 1) extra = 0;
    const bool is_rgb = photometric > PHOTOMETRIC_MINISBLACK || samples - extra == 3;
    colors = is_rgb && samples >= 3 ? 3 : 1;
    for (int i = 0; i < extra && alpha < 0; ++i) {
        const bool is_alpha =
            kinds[i] == EXTRASAMPLE_ASSOCALPHA || kinds[i] == EXTRASAMPLE_UNASSALPHA;
        if (!is_alpha || colors + i >= samples) continue;
        alpha = colors + i;
        is_premultiplied = kinds[i] == EXTRASAMPLE_ASSOCALPHA;
    }
}

} // namespace bowhist
