#pragma once

#include "tests/pictures/make_heifs.hpp"

#include <string>

/// What a grid's boxes say: how many times its one tile is laid out, and the sizes.
struct HeifGrid {
    int columns = 2;
    int rows = 2;
    cv::Size tile;
    cv::Size output;  ///< as the grid's own data says it
    cv::Size ispe;    ///< as its ispe says it
    int quarters = 0; ///< quarter turns, anticlockwise
};

/// A box of a version and flags.
inline std::string full_box(std::string_view type, const std::string &payload, int version = 0,
                            int flags = 0) {
    return box(type, big_endian(version, 1) + big_endian(flags, 3) + payload);
}

/// The whole box of that type in a file.
inline std::string box_in(const std::string &file, const char *type) {
    const auto at = file.find(type) - 4;
    const auto size = cv::Vec4b(file[at], file[at + 1], file[at + 2], file[at + 3]);
    return file.substr(at, size[0] << 24 | size[1] << 16 | size[2] << 8 | size[3]);
}

/// Phones write grids: an image of tiles that are images themselves. Here all tiles are the
/// image of one HEIC or AVIF without alpha.
inline std::string heif_grid(const std::string &tile_file, const HeifGrid &grid) {
    const bool is_avif = tile_file.find("av1C") != std::string::npos;
    const auto tile = box_in(tile_file, "mdat").substr(8);
    const auto layout = big_endian(1, 2) + big_endian(grid.rows - 1, 1) +
                        big_endian(grid.columns - 1, 1) + big_endian(grid.output.width, 4) +
                        big_endian(grid.output.height, 4);
    const int tiles = grid.rows * grid.columns;
    std::string infos = big_endian(tiles + 1, 2);
    std::string references = big_endian(1, 2) + big_endian(tiles, 2);
    std::string properties = big_endian(tiles + 1, 4);
    for (int id = 1; id <= tiles + 1; ++id) { // the grid is 1
        const bool is_grid = id == 1;
        const std::string type = is_grid ? "grid" : is_avif ? "av01" : "hvc1";
        infos += full_box("infe", big_endian(id, 2) + big_endian(0, 2) + type + '\0', 2,
                          is_grid ? 0 : 1);
        if (!is_grid) references += big_endian(id, 2);
        properties += big_endian(id, 2) + (is_grid ? "\2\1\x84" : "\2\2\x83");
    }
    const auto size_box = [](cv::Size size) {
        return full_box("ispe", big_endian(size.width, 4) + big_endian(size.height, 4));
    };
    const auto places = [&](std::uint64_t data_at) {
        auto items = big_endian(0x4400, 2) + big_endian(tiles + 1, 2);
        for (int id = 1; id <= tiles + 1; ++id)
            items += big_endian(id, 2) + big_endian(0, 2) + big_endian(1, 2) +
                     big_endian(id == 1 ? data_at : data_at + layout.size(), 4) +
                     big_endian(id == 1 ? layout.size() : tile.size(), 4);
        return full_box("iloc", items);
    };
    const auto head = [&](std::uint64_t data_at) {
        return box("ftyp", (is_avif ? "avif" : "heic") + std::string(4, '\0') + "mif1") +
               full_box(
                   "meta",
                   full_box("hdlr", std::string(4, '\0') + "pict" + std::string(13, '\0')) +
                       full_box("pitm", big_endian(1, 2)) + places(data_at) +
                       full_box("iinf", infos) + full_box("iref", box("dimg", references)) +
                       box("iprp", box("ipco", size_box(grid.ispe) + size_box(grid.tile) +
                                                   box_in(tile_file, is_avif ? "av1C" : "hvcC") +
                                                   box("irot", big_endian(grid.quarters, 1))) +
                                       full_box("ipma", properties)));
    };
    return head(head(0).size() + 8) + box("mdat", layout + tile);
}
