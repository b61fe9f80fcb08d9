#include "tests/support/listener.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/pictures/jpeg/encode_jpeg.hpp>
#include <bowhist/show/cut_patches.hpp>

#include <catch2/catch.hpp>

#include <fstream>
#include <numbers>

using namespace bowhist;

namespace {

/// Grey rises by 1 every two columns.
void write_ramp(const std::filesystem::path &path) {
    Raster ramp{480, 360, Color::grey, {}};
    for (int i = 0; i < 480 * 360; ++i)
        ramp.samples.push_back(static_cast<std::uint8_t>(i % 480 / 2));
    std::ofstream(path, std::ios::binary) << encode_jpeg(ramp);
}

Image decoded(const std::string &jpeg) {
    return decode_image(jpeg, "patch.jpg");
}

/// Described at a quarter of its size: a square of 20 pixels around (60, 45).
DescribedPlace place(double turn = 0, bool is_mirrored = false) {
    return {{.x = 59.5, .y = 44.5, .scale = 1, .orientation = static_cast<float>(turn)},
            120,
            90,
            is_mirrored};
}

} // namespace

TEST_CASE("a patch is what was described, of the original, turned", "[show]") {
    const TemporaryFolder folder;
    write_ramp(folder / "a.jpg");
    const double quarter = std::numbers::pi / 2;
    const auto patches =
        cut_patches(folder / "a.jpg",
                    std::vector{place(), place(quarter), place(2 * quarter), place(0, true)}, 40);
    REQUIRE(patches.size() == 4);
    for (const std::string &patch : patches) {
        const Image image = decoded(patch);
        REQUIRE(image.width == 40);
        REQUIRE(image.height == 40);
    }
    const auto at = [&](std::size_t patch, int x, int y) {
        const Image image = decoded(patches[patch]);
        return int{image.pixels[static_cast<std::size_t>(y * 40 + x)]};
    };
    // columns 200 to 279 of the original, two a pixel here
    for (const int x : {1, 10, 20, 30, 38}) {
        CHECK(at(0, x, 20) == Approx(100 + x).margin(2));
        CHECK(at(1, 20, x) == Approx(139 - x).margin(2)); // its x axis runs down
        CHECK(at(2, x, 20) == Approx(139 - x).margin(2));
        // around 480 - 240 of the mirrored image, which is the same columns, from right to left
        CHECK(at(3, x, 20) == Approx(139 - x).margin(2));
    }
}

TEST_CASE("patches of many images: those that cannot be read have none", "[show]") {
    const TemporaryFolder folder;
    write_ramp(folder / "a.jpg");
    std::ofstream(folder / "damaged.jpg") << "\xff\xd8\xff";
    const std::vector<std::string> files{folder / "gone.jpg", folder / "a.jpg",
                                         folder / "damaged.jpg"};
    const std::vector<WantedPatch> wanted{{1, place()}, {0, place()},  {2, place()},
                                          {1, {}},      {1, place(1)}, {0, place()}};
    testing::Listener listener;
    const auto patches = cut_patches(files, wanted, 24, {}, listener);
    REQUIRE(patches.size() == wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i)
        CHECK(patches[i].empty() == !(i == 0 || i == 4));
    CHECK(listener.warnings.size() == 2); // the first with its reason, and their number
    CHECK(patches[0] == cut_patches(files[1], std::vector{place(), place(1)}, 24)[0]);
}
