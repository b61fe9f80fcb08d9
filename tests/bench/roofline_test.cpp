#include "bench/report/roofline.hpp"
#include "tests/files/checks.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/core/error.hpp>

#include <catch2/catch.hpp>

#include <regex>

using namespace bowhist;

namespace {

Measurement row(const std::string &operation, const std::string &level, double operations,
                double bytes, double seconds) {
    Measurement measurement{{operation, level, Place::device, "A device", 100, 10, 64}, {}, {}};
    measurement.work.operations = operations;
    measurement.work.bytes_read = bytes;
    measurement.figures = Figures{};
    measurement.figures->seconds = {0.9 * seconds, seconds, 1.2 * seconds};
    return measurement;
}

/// As a large GPU's might be: six decades between the slowest row and the highest roof.
std::vector<Group> wide_groups() {
    Group assign{&operations()[0], 1024, {}};
    assign.measurements = {row("peak", "fma", 65e12, 0, 1), row("peak", "copy", 0, 4.28e12, 1),
                           row("peak", "matrix", 642e12, 0, 1)};
    for (const auto &[level, rate, roof, fraction] : {std::tuple{"serial", 0.9e9, Roof::fma, 0.002},
                                                      {"gpu1", 0.5e12, Roof::fma, 0.0077},
                                                      {"gpu5", 7.3e12, Roof::fma, 0.112},
                                                      {"units", 277e12, Roof::matrix, 0.431}}) {
        assign.measurements.push_back(row("assign", level, rate, 1e9, 1));
        assign.measurements.back().figures->roof = RoofShare{roof, fraction};
    }
    Measurement missing{{"assign", "gpu3", Place::device, "A device", 100, 10, 66}, {}, {}};
    missing.obstacle = "it takes <dimensions> that are multiples of 4 & \"not\" 66";
    missing.subject.local_size = 128;
    assign.measurements.push_back(missing);
    Group transpose{&operations()[1], 0, {row("transpose", "tiled", 0, 2.1e12, 1)}};
    transpose.measurements.back().figures->roof = RoofShare{Roof::copy, 0.49};
    return {assign, transpose};
}

} // namespace

TEST_CASE("a plot names every row, its rate and its roof", "[report]") {
    const std::string svg = roofline_svg(wide_groups());
    for (const char *words :
         {">gpu1<", ">units<", ">277 TFLOP/s<", ">43.1 % of matrix<", ">2.1 TB/s<",
          ">49.0 % of copy<", ">assign, k = 10, d = 64<", ">gpu3 /128<",
          "unsupported, because it takes &lt;dimensions&gt; that are multiples of 4 &amp; ",
          "A device: fma 65 TFLOP/s (54.17 T … 72.22 T), copy 4.28 TB/s (3.567 T … 4.756 T), "})
        CHECK_THAT(svg, Catch::Contains(words));
}

TEST_CASE("a plot says why a row is above its roof", "[report]") {
    auto groups = wide_groups();
    CHECK_THAT(roofline_svg(groups), !Catch::Contains("above 100 %"));
    groups[0].measurements[3].figures->roof = RoofShare{Roof::fma, 1.2, {}, "a <cache>"};
    CHECK_THAT(roofline_svg(groups), Catch::Contains("above 100 %: serial: a &lt;cache&gt;"));
}

TEST_CASE("a long reason is cut between characters, however many bytes they take", "[report]") {
    for (const std::string letter : {"x", "é", "–", "𝕏"})
        for (const std::size_t letters : {90, 91, 92, 200}) {
            auto groups = wide_groups();
            std::string &obstacle = groups[0].measurements.back().obstacle;
            obstacle.clear();
            for (std::size_t i = 0; i < letters; ++i) obstacle += letter;
            std::string shown = "because ";
            for (std::size_t i = 0; i < std::min<std::size_t>(letters, 91); ++i) shown += letter;
            shown += letters > 91 ? " …<" : "<";
            INFO(letters << " times " << letter);
            CHECK_THAT(roofline_svg(groups), Catch::Contains(shown));
        }
}

TEST_CASE("a bar ends where its rate lies on a logarithmic axis, inside its roof's", "[report]") {
    const std::string svg = roofline_svg(wide_groups());
    const std::regex rectangle(R"re(<rect x="150.0" y="([0-9.]+)" width="([0-9.]+)")re");
    std::vector<double> widths;
    for (std::sregex_iterator at(svg.begin(), svg.end(), rectangle), end; at != end; ++at)
        widths.push_back(std::stod((*at)[2]));
    REQUIRE(widths.size() == 10); // a roof's and a row's own for each of five
    for (std::size_t i = 0; i < widths.size(); i += 2) {
        CHECK(widths[i + 1] <= widths[i]);
        CHECK(widths[i] <= 590);
    }
    // gpu5 does 14.6 times what gpu1 does: the same distance wherever it lies on the axis
    const double decade = (widths[7] - widths[3]) / std::log10(277e12 / 0.5e12);
    CHECK(widths[5] - widths[3] == Approx(decade * std::log10(7.3 / 0.5)).margin(0.2));
}

TEST_CASE("a row without operations stands among rows with them", "[report]") {
    auto groups = wide_groups();
    groups[0].measurements.push_back(row("assign", "copies", 0, 1e9, 1));
    CHECK_THAT(roofline_svg(groups), Catch::Contains(">copies<"));
}

TEST_CASE("a plot of nothing but obstacles is a plot", "[report]") {
    Group group{&operations()[0], 10, {}};
    Measurement missing{{"assign", "gpu1", Place::device}, {}, {}};
    missing.obstacle = std::string(500, 'x');
    group.measurements = {missing};
    CHECK_THAT(roofline_svg({group}), Catch::Contains("unsupported, because xxx"));
    CHECK_THAT(roofline_svg({}), Catch::Contains("</svg>"));
}

TEST_CASE("a plot is an SVG file or a page around it", "[report]") {
    const TemporaryFolder folder;
    const auto write = [&](const char *name) {
        AtomicFile file(folder / name);
        write_roofline(file, wide_groups());
    };
    write("a.svg");
    CHECK(checks::read_bytes(folder / "a.svg") == roofline_svg(wide_groups()));
    write("a.HTML");
    CHECK_THAT(checks::read_bytes(folder / "a.HTML"), Catch::StartsWith("<!DOCTYPE html>"));
    CHECK_THAT(checks::read_bytes(folder / "a.HTML"), Catch::Contains(roofline_svg(wide_groups())));
}
