// Cells of pyramids: grids as text, and the cell of a keypoint.
#include <bowhist/core/cells.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/integer_rows.hpp>
#include <bowhist/pipeline/in_cells.hpp>

#include <catch2/catch.hpp>

#include <limits>

using namespace bowhist;

TEST_CASE("cells: grids are read and written in one way") {
    for (const auto *text : {"1x1", "1x1,2x2,3x1,4x4", "32x32", "7x1"})
        CHECK(as_text(parse_cells(text)) == text);
    CHECK(parse_cells("3x2") == CellGrids{{3, 2}});
    CHECK(cell_count(parse_cells("1x1,2x2,3x1,4x4")) == 24);
}

TEST_CASE("cells: grids that make no sense are refused") {
    for (const auto *text : {"", "1", "1x", "x1", "1x1,", ",1x1", "0x1", "1x0", "-1x1", "1x1x1",
                             "2 x 2", "33x32", "32x32,1x1", "18446744073709551615x2", "1X1"}) {
        INFO(text);
        CHECK_THROWS_AS(parse_cells(text), Error);
    }
}

TEST_CASE("cells: codes of all cells have products of 32 bits") {
    const std::int64_t most = std::int64_t{longest_integer_norm} * longest_integer_norm;
    CHECK(std::int64_t{longest_code} * 127 * 127 <= most);
    CHECK((std::int64_t{longest_code} + 1) * 127 * 127 > most);
    const CellGrids grids{{32, 32}};
    CHECK(numbers_in(grids, 62, true) == 63'488);
    CHECK_THROWS_WITH(numbers_in(grids, 63, true),
                      Catch::Contains("--cells 32x32 makes codes of 1024 x 63 numbers, and 63488"));
    CHECK(numbers_in(grids, 128) == 131'072);
}

TEST_CASE("cells: each pixel lies in the cell in which its middle lies") {
    const CellGrid grid{3, 2};
    for (int y = 0; y < 5; ++y)
        for (int x = 0; x < 7; ++x) {
            std::size_t column = 0; // the middle is at x + 1/2: compare 6x + 3 with 14 and 28
            if (6 * x + 3 >= 14) column = 1;
            if (6 * x + 3 >= 28) column = 2;
            const std::size_t row = 4 * y + 2 >= 10 ? 1 : 0;
            const Keypoint at{static_cast<float>(x), static_cast<float>(y), 1, 0, 0};
            CHECK(grid.cell_of(at, 7, 5) == row * 3 + column);
        }
}

TEST_CASE("cells: a keypoint outside of its image belongs to the nearest cell") {
    const CellGrid grid{3, 2};
    constexpr float far = std::numeric_limits<float>::infinity();
    CHECK(grid.cell_of({-far, -1, 1, 0, 0}, 7, 5) == 0);
    CHECK(grid.cell_of({far, 1e30F, 1, 0, 0}, 7, 5) == 5);
    CHECK(grid.cell_of({std::numeric_limits<float>::quiet_NaN(), 9, 1, 0, 0}, 7, 5) == 3);
    CHECK(CellGrid{1000, 1}.cell_of({0, 0, 1, 0, 0}, 1, 1) == 500); // an image of one pixel
}
