#include "tests/files/checks.hpp"
#include "tests/support/plot_texts.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/report/plot.hpp>
#include <bowhist/report/training_plot.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <random>
#include <set>

using namespace bowhist;

namespace {

/// 1, 2 or 5 times a power of ten.
bool is_round(double value) {
    const double digits = value / std::pow(10.0, std::floor(std::log10(value) + 1e-9));
    for (const double digit : {1.0, 2.0, 5.0})
        if (std::abs(digits - digit) < 1e-6) return true;
    return false;
}

std::string training_plot(const std::vector<Iteration> &course) {
    const TemporaryFolder folder;
    AtomicFile file(folder / "a.svg");
    write_training_plot(file, course);
    return checks::read_bytes(folder / "a.svg");
}

} // namespace

TEST_CASE("ticks are multiples of 1, 2 or 5 times a power of ten, and hold what is drawn",
          "[report]") {
    std::mt19937 engine(4);
    std::uniform_real_distribution<double> exponent(-6, 15), share(0, 1);
    for (int i = 0; i < 2000; ++i) {
        const double most = std::pow(10, exponent(engine));
        const double least = most * (i % 3 == 0 ? 0 : i % 3 == 1 ? share(engine) : 0.9999);
        const std::size_t steps = 2 + std::size_t(i) % 5;
        const auto ticks = round_ticks(least, most, steps);
        INFO(least << " to " << most << " in " << steps);
        REQUIRE(ticks.size() >= 2);
        CHECK(ticks.size() <= steps + 2);
        CHECK(ticks.front() <= least * (1 + 1e-6));
        CHECK(ticks.back() >= most * (1 - 1e-6));
        const double step = ticks[1] - ticks[0];
        CHECK(is_round(step));
        for (std::size_t j = 1; j < ticks.size(); ++j)
            CHECK(ticks[j] - ticks[j - 1] == Approx(step).epsilon(1e-3));
        const auto texts = tick_texts(ticks);
        CHECK(std::set(texts.begin(), texts.end()).size() == ticks.size());
    }
}

TEST_CASE("a constant has ticks around it, and whole numbers have whole ones", "[report]") {
    for (const double value : {0.0, 1.0, 1e12, 3e-7}) {
        const auto ticks = round_ticks(value, value, 4);
        REQUIRE(ticks.size() >= 2);
        CHECK(ticks.front() <= value);
        CHECK(ticks.back() >= value);
    }
    CHECK(round_ticks(0, 1, 6, 1) == std::vector<double>{0, 1});
    CHECK(round_ticks(0, 0, 6, 1) == std::vector<double>{0, 1});
    CHECK(tick_texts({0, 500'000, 1'000'000}) == std::vector<std::string>{"0.0", "0.5 M", "1.0 M"});
}

TEST_CASE("powers of ten are as many as have room", "[report]") {
    for (int decades = 1; decades < 15; ++decades) {
        const auto ticks = decade_ticks(100, 100 * std::pow(10, decades), 4);
        CHECK(ticks.size() >= 1);
        CHECK(ticks.size() <= 4 + (decades < 4));
        CHECK(ticks.front() == Approx(100));
        CHECK(ticks.back() <= 100 * std::pow(10, decades) * 1.001);
    }
}

TEST_CASE("a text in lines has all of it, and no line is wider than its room", "[report]") {
    const std::string text = "roofs of a device: fma 76.35 GFLOP/s, of a kind "
                             "thatiscalledbyalongnamewithoutanyblankinit—äöü and others";
    const auto lines = wrapped(text, 150, 100);
    std::string joined;
    for (const std::string &line : lines) {
        CHECK(text_width(line) <= 150);
        joined += line;
    }
    std::string letters = text;
    std::erase(letters, ' ');
    std::erase(joined, ' ');
    CHECK(joined == letters);
    const auto two = wrapped(text, 150, 2);
    REQUIRE(two.size() == 2);
    CHECK_THAT(two.back(), Catch::EndsWith(" …"));
    CHECK(text_width(two.back()) <= 150);
    CHECK(wrapped("", 150, 2).empty());
    CHECK(wrapped("a ", 150, 1) == std::vector<std::string>{"a "});
}

TEST_CASE("no two texts of a training's plot lie on each other", "[report]") {
    for (const double inertia : {0.0, 3e-7, 123456.7, 8e14})
        for (const double fall : {0.0, 1e-5, 0.3})
            for (const std::size_t iterations : {1U, 2U, 7U, 26U, 1000U})
                for (const std::uint64_t moved :
                     {0ULL, 1ULL, 90ULL, 12'345ULL, 40'000'000'000ULL}) {
                    std::vector<Iteration> course(iterations);
                    for (std::size_t i = 0; i < iterations; ++i) {
                        course[i].inertia = inertia * (1 - fall * double(i) / double(iterations));
                        course[i].moved = moved / (i + 1);
                    }
                    const std::string svg = training_plot(course);
                    INFO(inertia << ' ' << fall << ' ' << iterations << ' ' << moved);
                    CHECK(faults_of_texts(svg) == "");
                    CHECK(texts_of_plot(svg).size() >= 8);
                    CHECK_THAT(svg, !Catch::Contains("nan") && !Catch::Contains("inf\""));
                }
}

TEST_CASE("a plot has a title, and colors for the dark", "[report]") {
    const std::string svg = training_plot({{}, {}});
    CHECK_THAT(svg, Catch::Contains("<title>The course of a training</title>"));
    CHECK_THAT(svg, Catch::Contains("prefers-color-scheme: dark"));
    CHECK_THAT(svg, Catch::Contains("viewBox=\"0 0 400 400\""));
}
