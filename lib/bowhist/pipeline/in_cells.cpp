#include <bowhist/pipeline/in_cells.hpp>

#include <bowhist/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace bowhist {
namespace {

void require_place_of(const Described &described) {
    const Descriptors &found = described.descriptors;
    if (found.size() == 0 || (found.keypoints.size() == found.size() && described.width > 0))
        return;
    throw Error(Fault::input, "where its descriptors lie in their picture is unknown, which cells "
                              "need; give the picture itself");
}

} // namespace

std::size_t numbers_in(const CellGrids &grids, std::size_t each) {
    constexpr std::size_t most = std::size_t{1} << 24; // 64 MiB an image
    const std::size_t cells = cell_count(grids);
    if (cells > 1 && each > most / cells)
        throw Error(Fault::usage,
                    fmt::format("--cells {} makes rows of {} x {} numbers, and {} is the most; "
                                "give fewer cells, or a model with fewer words or --reduce",
                                as_text(grids), cells, each, most));
    return cells * each;
}

std::string as_encoding(std::string name, const CellGrids &grids) {
    return grids == whole_image ? name : name + ' ' + as_text(grids);
}

void require_places(const CellGrids &grids, StreamOptions &options) {
    if (std::ranges::all_of(grids, [](const CellGrid &grid) { return grid.size() == 1; })) return;
    options.prepare = [before = options.prepare](Described &described) {
        if (before) before(described);
        require_place_of(described);
    };
}

std::vector<std::size_t> cells_of(const Described &described, const CellGrid &grid,
                                  std::size_t count) {
    std::vector<std::size_t> cells(count);
    if (grid.size() == 1) return cells;
    for (std::size_t i = 0; i < count; ++i)
        cells[i] =
            grid.cell_of(described.descriptors.keypoints[i], described.width, described.height);
    return cells;
}

} // namespace bowhist
