#include <bowhist/pictures/codecs/opencv/tiff_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace bowhist {

struct TiffFile::Source {
    std::string_view bytes;
    std::uint64_t at = 0;
};

namespace {

TiffFile::Source &source_of(thandle_t handle) {
    return *static_cast<TiffFile::Source *>(handle);
}

tmsize_t read(thandle_t handle, void *to, tmsize_t count) {
    auto &source = source_of(handle);
    const auto from = std::min<std::uint64_t>(source.at, source.bytes.size());
    const auto part =
        source.bytes.substr(from, static_cast<std::size_t>(std::max<tmsize_t>(count, 0)));
    std::memcpy(to, part.data(), part.size());
    source.at = from + part.size();
    return static_cast<tmsize_t>(part.size());
}

tmsize_t write(thandle_t /*handle*/, void * /*from*/, tmsize_t /*count*/) {
    return 0;
}

toff_t seek(thandle_t handle, toff_t offset, int from) {
    auto &source = source_of(handle);
    if (from == SEEK_CUR) offset += source.at;
    if (from == SEEK_END) offset += source.bytes.size();
    return source.at = offset;
}

int close(thandle_t /*handle*/) {
    return 0;
}

toff_t size(thandle_t handle) {
    return source_of(handle).bytes.size();
}

int map(thandle_t handle, void **base, toff_t *bytes) {
    const auto all = source_of(handle).bytes;
    *base = const_cast<char *>(all.data()); // "r": libtiff only reads
    *bytes = all.size();
    return 1;
}

void unmap(thandle_t /*handle*/, void * /*base*/, toff_t /*bytes*/) {}

void be_silent() {
    static const bool silent = [] {
        TIFFSetErrorHandler(nullptr);
        TIFFSetWarningHandler(nullptr);
        return true;
    }();
    static_cast<void>(silent);
}

/// "4.5.0", of "LIBTIFF, Version 4.5.0" and more lines.
std::string_view version() {
    std::string_view words = TIFFGetVersion();
    words = words.substr(0, words.find('\n'));
    return words.substr(words.rfind(' ') + 1);
}

} // namespace

Error unreadable_tiff(std::string_view reason) {
    return {Fault::input,
            fmt::format("damaged, or a kind of TIFF that libtiff {} does not read{}; "
                        "get the picture again, or convert it to PNG or JPEG",
                        version(), reason.empty() ? "" : fmt::format(" ({})", reason))};
}

TiffFile::TiffFile(std::string_view bytes, std::uint64_t directory)
    : source_(std::make_shared<Source>(Source{bytes, 0})) {
    be_silent();
    // h: the first directory may be another, and no reason to fail
    tiff_.reset(
        TIFFClientOpen("", "rh", source_.get(), read, write, seek, close, size, map, unmap));
    if (!tiff_ || TIFFSetSubDirectory(tiff_.get(), directory) != 1) throw unreadable_tiff();
}

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
