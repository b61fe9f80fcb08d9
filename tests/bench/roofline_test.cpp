#include "bench/report/roofline.hpp"
#include "tests/files/checks.hpp"
#include "tests/support/plot_texts.hpp"
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

/// All of it, without its lines.
std::string words_of(const std::string &svg) {
    std::string words;
    for (const PlotText &text : texts_of_plot(svg)) words += text.words + " ";
    return words;
}

} // namespace

TEST_CASE("a plot names every row, its rate and its roof", "[report]") {
    const std::string shown = words_of(roofline_svg(wide_groups()));
    for (const char *words :
         {"gpu1", "units", "277 TFLOP/s, 43.1 % of matrix", "2.1 TB/s, 49.0 % of copy",
          "assign, k = 10, d = 64", "gpu3 /128",
          "unsupported, because it takes &lt;dimensions&gt; that are multiples of 4 &amp; ",
          "A device: fma 65 TFLOP/s (54.17 T … 72.22 T), copy 4.28 TB/s (3.567 T … 4.756 T), "})
        CHECK_THAT(shown, Catch::Contains(words));
}

TEST_CASE("a plot says why a row is above its roof", "[report]") {
    auto groups = wide_groups();
    CHECK_THAT(roofline_svg(groups), !Catch::Contains("above 100 %"));
    groups[0].measurements[3].figures->roof = RoofShare{Roof::fma, 1.2, {}, "a <cache>"};
    CHECK_THAT(words_of(roofline_svg(groups)),
               Catch::Contains("above 100 %: serial: a &lt;cache&gt;"));
}

TEST_CASE("a long reason is cut between characters, however many bytes they take", "[report]") {
    for (const std::string letter : {"x", "é", "–", "𝕏"})
        for (const std::size_t letters : {20, 90, 400}) {
            auto groups = wide_groups();
            std::string &obstacle = groups[0].measurements.back().obstacle;
            obstacle.clear();
            for (std::size_t i = 0; i < letters; ++i) obstacle += letter;
            std::string words;
            for (const PlotText &text : texts_of_plot(roofline_svg(groups)))
                if (text.css_class == "reason") words += text.words;
            std::size_t shown = 0;
            for (std::size_t at = words.find("because") + 7; at < words.size(); ++shown)
                at += words.compare(at, letter.size(), letter) == 0 ? letter.size() : 1;
            INFO(letters << " times " << letter << ": " << words);
            CHECK(words.ends_with(" …") == (letters == 400));
            if (letters < 400) CHECK(words.ends_with(letter));
            CHECK(shown >= std::min<std::size_t>(letters, 100));
        }
}

TEST_CASE("no two texts of a plot lie on each other, or leave it", "[report]") {
    auto groups = wide_groups();
    CHECK(faults_of_texts(roofline_svg(groups)) == "");
    for (Measurement &row : groups[0].measurements) {
        row.subject.device = "A device of a very long name that its vendor gave to it, 16 GB";
        if (!row.is_peak()) row.subject.level = "a level of a name that is rather long";
        row.error = std::string(700, 'W');
    }
    CHECK(faults_of_texts(roofline_svg(groups)) == "");
    for (double &rate : std::vector<double>{1, 1e3, 1e15}) {
        auto one = wide_groups();
        one[0].measurements.resize(3);
        one[0].measurements.push_back(row("assign", "serial", rate, 1, 1));
        CHECK(faults_of_texts(roofline_svg(one)) == "");
    }
}

TEST_CASE("a bar ends where its rate lies on a logarithmic axis, inside its roof's", "[report]") {
    const std::string svg = roofline_svg(wide_groups());
    const std::regex rectangle(
        R"re(<rect class="(bar|track) [a-z]+" x="12.0" y="([0-9.]+)" width="([0-9.]+)")re");
    std::vector<double> bars, tracks;
    for (std::sregex_iterator at(svg.begin(), svg.end(), rectangle), end; at != end; ++at)
        ((*at)[1] == "bar" ? bars : tracks).push_back(std::stod((*at)[3]));
    REQUIRE(bars.size() == 8); // three of the legend, and of each of five rows
    REQUIRE(tracks.size() == 8);
    bars.erase(bars.begin(), bars.begin() + 3);
    tracks.erase(tracks.begin(), tracks.begin() + 3);
    for (std::size_t i = 0; i < bars.size(); ++i) {
        CHECK(bars[i] <= tracks[i]);
        CHECK(tracks[i] <= 376);
    }
    // gpu5 does 14.6 times what gpu1 does: the same distance wherever it lies on the axis
    const double decade = (bars[3] - bars[1]) / std::log10(277e12 / 0.5e12);
    CHECK(bars[2] - bars[1] == Approx(decade * std::log10(7.3 / 0.5)).margin(0.2));
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
    CHECK_THAT(words_of(roofline_svg({group})), Catch::Contains("unsupported, because xxx"));
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
    CHECK(checks::read_bytes(folder / "a.HTML") == roofline_page(wide_groups()));
    CHECK_THAT(roofline_page(wide_groups()), Catch::Contains(">277 TFLOP/s, 43.1 % of matrix<"));
}
