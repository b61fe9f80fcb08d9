#include <bowhist/core/cells.hpp>

#include <bowhist/core/as_number.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace bowhist {
namespace {

constexpr std::size_t most_cells = 1024;

/// The number of the part that holds the pixel's middle, when [0, pixels) is cut into `parts`.
std::size_t part_of(float pixel, int pixels, std::size_t parts) {
    const double place = (double{pixel} + 0.5) * static_cast<double>(parts) / pixels;
    if (!(place > 0)) return 0;
    return place < static_cast<double>(parts) ? static_cast<std::size_t>(place) : parts - 1;
}

} // namespace

std::size_t CellGrid::cell_of(const Keypoint &keypoint, int width, int height) const {
    return part_of(keypoint.y, height, down) * across + part_of(keypoint.x, width, across);
}

CellGrids parse_cells(std::string_view text) {
    const auto fail = [&] {
        throw Error(Fault::usage,
                    fmt::format("--cells \"{}\" makes no sense; give grids, columns x "
                                "rows, such as 1x1,2x2,4x4, of at most {} cells",
                                excerpt(text), most_cells));
    };
    CellGrids grids;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        const std::string_view grid = text.substr(at, comma - at);
        const std::size_t cross = std::min(grid.find('x'), grid.size());
        const auto across = as_number<std::size_t>(grid.substr(0, cross));
        const auto down = as_number<std::size_t>(grid.substr(std::min(cross + 1, grid.size())));
        if (!across || !down || *across == 0 || *down == 0 || *across > most_cells ||
            *down > most_cells)
            fail();
        grids.push_back({*across, *down});
        if (cell_count(grids) > most_cells) fail();
        at = comma + 1;
    }
    return grids;
}

std::string as_text(const CellGrids &grids) {
    std::string text;
    for (const CellGrid &grid : grids)
        text += fmt::format("{}{}x{}", text.empty() ? "" : ",", grid.across, grid.down);
    return text;
}

std::size_t cell_count(const CellGrids &grids) {
    std::size_t count = 0;
    for (const CellGrid &grid : grids) count += grid.size();
    return count;
}

} // namespace bowhist
