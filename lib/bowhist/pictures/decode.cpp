#include <bowhist/pictures/decode.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/pictures/area_average.hpp>
#include <bowhist/pictures/codecs/codecs.hpp>
#include <bowhist/pictures/header/mpo_pictures.hpp>
#include <bowhist/pictures/header/picture_formats.hpp>
#include <bowhist/pictures/header/tiff_pages.hpp>
#include <bowhist/pictures/jpeg/jpeg_rows.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace bowhist {
namespace {

/// The most that libjpeg can shrink by while it decodes, with no fewer pixels left than wanted.
int reduction(PixelSize full, PixelSize wanted) {
    for (const int by : {8, 4, 2}) {
        const auto left = [by](int length) { return (length + by - 1) / by; };
        if (left(full.width) >= wanted.width && left(full.height) >= wanted.height) return by;
    }
    return 1;
}

/// The limits were held against the header as image_header_jpeg reads it.
void require_checked_size(PixelSize full, const ImageHeader &header) {
    const bool same = static_cast<std::uint64_t>(full.width) == header.width &&
                      static_cast<std::uint64_t>(full.height) == header.height;
    if (!same)
        throw Error(Fault::input,
                    "damaged, its JPEG header gives two sizes; get the picture again");
}

std::string damage_of(const JpegRows &rows, const EncodedFile &file) {
    std::string damage = rows.damage();
    if (damage.empty() && !file.header.complete) damage = "its data stops before the end";
    return damage;
}

/// A JPEG's image as it is stored, at most `side` pixels a side (0 keeps the size).
///
/// Grey is the luma as it is stored; RGB, CMYK and YCCK become the grey that OpenCV makes of them.
/// libjpeg decodes an image of twice `side` or more at 1/2, 1/4 or 1/8.
/// @throws as JpegErrors::guard
DecodedImage decode_jpeg(const EncodedFile &file, Color color, int side) {
    JpegRows rows({file.bytes.data(), std::min(file.bytes.size(), file.header.data_end)});
    require_checked_size(rows.full_size(), file.header);
    const PixelSize wanted = shrunk(rows.full_size(), side);
    rows.start(color, reduction(rows.full_size(), wanted));
    AreaAverage average(rows.size(), wanted, color);
    for (int y = 0; y < rows.size().height; ++y) average.add(rows.next());
    rows.finish();
    return {average.take(), damage_of(rows, file), {}};
}

/// The places of the upright image's pixels in the stored one, in samples.
struct Walk {
    std::ptrdiff_t begin;    ///< of the top left pixel
    std::ptrdiff_t to_right; ///< from a pixel to its neighbor
    std::ptrdiff_t down;
};

Walk walk_of(const Raster &stored, int orientation) {
    const auto pixel = static_cast<std::ptrdiff_t>(stored.color);
    const auto row = static_cast<std::ptrdiff_t>(stored.row_samples());
    const bool from_right =
        orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    const bool from_below =
        orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    const std::ptrdiff_t begin =
        (from_right ? row - pixel : 0) + (from_below ? row * (stored.height - 1) : 0);
    const std::ptrdiff_t along_row = from_right ? -pixel : pixel;
    const std::ptrdiff_t across_rows = from_below ? -row : row;
    return orientation >= 5 ? Walk{begin, across_rows, along_row}
                            : Walk{begin, along_row, across_rows};
}

/// The image turned and mirrored as its Exif orientation (1 to 8) asks.
Raster upright(Raster stored, int orientation) {
    if (orientation <= 1) return stored;
    const Walk walk = walk_of(stored, orientation);
    Raster result{stored.width, stored.height, stored.color, {}};
    if (orientation >= 5) std::swap(result.width, result.height);
    result.samples.resize(stored.samples.size());
    const auto channels = static_cast<int>(stored.color);
    constexpr int tile = 32; // pixels a side: rows of both images stay in the cache
    for (int top = 0; top < result.height; top += tile)
        for (int left = 0; left < result.width; left += tile)
            for (int y = top; y < std::min(top + tile, result.height); ++y) {
                auto *to = result.samples.data() + y * result.row_samples() + left * channels;
                const auto *from =
                    stored.samples.data() + walk.begin + y * walk.down + left * walk.to_right;
                const int pixels = std::min(tile, result.width - left);
                for (int x = 0; x < pixels; ++x, from += walk.to_right)
                    to = std::copy_n(from, channels, to);
            }
    return result;
}

/// Views that one reduction serves.
struct JpegPass {
    std::vector<std::size_t> views; ///< places among the sides
    bool with_color = false;
};

/// The passes by their reduction. The view in color takes the fewest pixels that suffice.
std::map<int, JpegPass> passes_of(const JpegRows &rows, std::span<const int> sides,
                                  int color_side) {
    const PixelSize full = rows.full_size();
    std::map<int, JpegPass> passes;
    for (std::size_t i = 0; i < sides.size(); ++i)
        passes[reduction(full, shrunk(full, sides[i]))].views.push_back(i);
    if (color_side == 0 || !rows.has_luma()) return passes;
    const int own = reduction(full, boxed(full, color_side));
    auto pass = passes.upper_bound(own);
    if (pass == passes.begin())
        passes[own].with_color = true;
    else
        std::prev(pass)->second.with_color = true;
    return passes;
}

/// The luma of a row of YCbCr.
void take_luma(const std::uint8_t *row, std::vector<std::uint8_t> &luma) {
    for (std::size_t x = 0; x < luma.size(); ++x) luma[x] = row[3 * x];
}

void decode_pass(JpegRows &rows, int by, const JpegPass &pass, std::span<const int> sides,
                 int color_side, JpegViews &views) {
    const PixelSize full = rows.full_size();
    if (pass.with_color)
        rows.start_with_chroma(by);
    else
        rows.start(Color::grey, by);
    std::vector<AreaAverage> grey;
    for (const std::size_t view : pass.views)
        grey.emplace_back(rows.size(), shrunk(full, sides[view]), Color::grey);
    std::optional<AreaAverage> color;
    if (pass.with_color) color.emplace(rows.size(), boxed(full, color_side), Color::bgr);
    std::vector<std::uint8_t> luma(static_cast<std::size_t>(rows.size().width));
    for (int y = 0; y < rows.size().height; ++y) {
        const std::uint8_t *row = rows.next();
        if (color) {
            color->add(row);
            take_luma(row, luma);
            row = luma.data();
        }
        for (AreaAverage &average : grey) average.add(row);
    }
    rows.finish();
    for (std::size_t i = 0; i < grey.size(); ++i) views.grey[pass.views[i]] = grey[i].take();
    if (color) views.color = color->take();
}

/// The full pages of a TIFF; where all are reduced, the one that is shown.
std::vector<Raster> decode_pages(const EncodedFile &file, int side, std::size_t most) {
    const Bytes bytes({file.bytes.data(), file.bytes.size()});
    std::vector<Raster> pages;
    for (const std::uint64_t directory : full_tiff_pages(Tiff(bytes), most)) {
        ImageHeader header = tiff_page_header(bytes, directory);
        header.format = file.header.format;
        header.decoder = file.header.decoder;
        if (!header.flaw.empty())
            throw Error(Fault::input,
                        fmt::format("a TIFF with a page {}; save it anew", header.flaw));
        pages.push_back(decode({header, file.bytes}, Color::grey, side).image);
    }
    if (pages.empty()) pages.push_back(decode(file, Color::grey, side).image);
    return pages;
}

/// A JPEG's pictures; without those that cost more than the first one, which the limits allow.
std::vector<Raster> decode_pictures(const EncodedFile &file, int side, std::size_t most) {
    std::vector<Raster> pictures{decode(file, Color::grey, side).image};
    for (const std::string_view bytes : mpo_pictures({file.bytes.data(), file.bytes.size()})) {
        if (bytes.size() == file.bytes.size()) continue; // the first one
        if (pictures.size() >= most) break;
        const auto header = read_image_header(bytes);
        const bool is_alike = header && header->width == file.header.width &&
                              header->height == file.header.height &&
                              header->passes <= file.header.passes;
        if (!is_alike) continue;
        const EncodedFile picture{*header, file.bytes.last(bytes.size())};
        pictures.push_back(decode(picture, Color::grey, side).image);
    }
    return pictures;
}

} // namespace

JpegViews decode_jpeg_views(const EncodedFile &file, std::span<const int> sides, int color_side) {
    const std::string_view bytes{file.bytes.data(),
                                 std::min(file.bytes.size(), file.header.data_end)};
    JpegViews views{.grey = std::vector<Raster>(sides.size()), .color = {}, .damage = {}};
    std::optional<JpegRows> rows(bytes);
    require_checked_size(rows->full_size(), file.header);
    for (const auto &[by, pass] : passes_of(*rows, sides, color_side)) {
        if (!rows) rows.emplace(bytes);
        decode_pass(*rows, by, pass, sides, color_side, views);
        if (views.damage.empty()) views.damage = damage_of(*rows, file);
        rows.reset();
    }
    for (Raster &view : views.grey) view = upright(std::move(view), file.header.orientation);
    views.color = upright(std::move(views.color), file.header.orientation);
    return views;
}

DecodedImage decode(const EncodedFile &file, Color color, int side) {
    DecodedImage decoded = file.header.decoder == Decoder::libjpeg
                               ? decode_jpeg(file, color, side)
                               : codecs().decode(file, color, side);
    decoded.image = upright(std::move(decoded.image), file.header.orientation);
    return decoded;
}

std::vector<Raster> decode_frames(const EncodedFile &file, int side, std::size_t most) {
    if (file.header.format == "TIFF") return decode_pages(file, side, most);
    if (file.header.decoder == Decoder::libjpeg) return decode_pictures(file, side, most);
    std::vector<Raster> frames = codecs().decode_frames(file, side, most);
    for (Raster &frame : frames) frame = upright(std::move(frame), file.header.orientation);
    return frames;
}

} // namespace bowhist
