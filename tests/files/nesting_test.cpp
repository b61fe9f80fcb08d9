#include <bowhist/files/nesting.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

using namespace bowhist;
using namespace std::string_literals;

namespace {

const std::string yaml = "%YAML:1.0\n---\n";

std::string repeat(const std::string &text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += text;
    return all;
}

/// As cv::FileStorage writes it: many lines of numbers in one bracket.
std::string matrix(const std::string &name) {
    return name + ": !!opencv-matrix\n   rows: 1000\n   cols: 64\n   dt: f\n   data: [ 1.5e-05,\n" +
           repeat("       -2., -3.5e-01, 0., .Nan, -.Inf,\n", 10000) + "       -4. ]\n";
}

} // namespace

TEST_CASE("nesting: what opens a level counts, in each format") {
    for (const std::size_t levels : {1, 2, 63, 100, 101, 1000}) {
        INFO(levels);
        CHECK(nesting_bound("<?xml version=\"1.0\"?>\n" + repeat("<a>", levels)) == levels);
        CHECK(nesting_bound(yaml + repeat("[", levels)) >= levels);
        CHECK(nesting_bound(yaml + repeat("- ", levels) + "1") >= levels);
        CHECK(nesting_bound(yaml + repeat("-", levels) + "a") >= levels);
        CHECK(nesting_bound(yaml + repeat("a: ", levels) + "1") >= levels);
        CHECK(nesting_bound("{" + repeat("\"a\": {", levels)) == levels + 1);
        std::string stairs = yaml;
        for (std::size_t i = 0; i < levels; ++i) stairs += std::string(i, ' ') + "a:\n#\n";
        CHECK(nesting_bound(stairs) >= levels);
        CHECK(nesting_bound(stairs) <= std::max<std::size_t>(levels, 3)); // "---" may be 3
    }
    CHECK(nesting_bound("") == 0);
    CHECK(nesting_bound("\xEF\xBB\xBF<a><b></b><b></b></a>") == 2);
}

TEST_CASE("nesting: what is written beside one another does not add up") {
    CHECK(nesting_bound("<a>" + repeat("<b><!-- <c> --><c>1</c></b>", 1000) + "</a>") == 3);
    CHECK(nesting_bound(yaml + repeat("a: [ 1, 2 ]\n", 1000)) < 5);
    CHECK(nesting_bound(yaml + "a:\n" +
                        repeat("   - { x: 1, y: \"a: b\", z: [ b, \"c\" ] }\n", 1000)) < 12);
    CHECK(nesting_bound(yaml + repeat("a: \"]}[{\"\n", 1000)) < 12);
    CHECK(nesting_bound("{" + repeat("\"a\": { \"b\": [ 1, \"x, y\", null ] },\n", 1000) + "}") ==
          3);
    CHECK(nesting_bound("{ \"a\": [], \"b\": {} }") == 2);
}

TEST_CASE("nesting: a bracket that another reading does not see closes nothing") {
    for (const std::string trick : {"[ \"]\", ", "[ ']', ", "[ it's, \"' ]\", ", "{ a}: ", "{ a]: ",
                                    "{ a}, b: ", "{ \"a:b\": [ 1, 2 ] }, c: ", "[ !a] ", "[ # ]\n ",
                                    "[ \"\\\" ]\", ", "{ a: \"}\", b: ", "[ [ \"x\" ], { a} : "}) {
        INFO(trick);
        CHECK(nesting_bound(yaml + "a: " + repeat(trick, 1000)) >= 1000);
    }
    for (const std::string trick :
         {"[ // ]\n", "[ /* ] */ ", "[ \"]\", ", "{ \"}\": ", "[ \"\\\" ]\", "}) {
        INFO(trick);
        CHECK(nesting_bound("{\"a\": " + repeat(trick, 1000)) >= 1000);
    }
    CHECK(nesting_bound(repeat("<a><!-- </a> -->", 1000)) == 1000);
    CHECK(nesting_bound(repeat("<a><!---></a>-->", 1000)) == 1000);
}

TEST_CASE("nesting: matrices of any size are shallow") {
    CHECK(nesting_bound(yaml + matrix("a") + matrix("b")) < 10);
    CHECK(nesting_bound(
              yaml + repeat("m: !!opencv-matrix\n   rows: 1\n   data: [ -1., 2. ]\n", 1000)) < 10);
    CHECK(nesting_bound("<?xml version=\"1.0\"?>\n<opencv_storage>\n" +
                        repeat("<m type_id=\"opencv-matrix\"><data>\n 1. 2.</data></m>\n", 1000) +
                        "</opencv_storage>\n") == 3);
}

TEST_CASE("nesting: a NUL, or a CR within a line, hides text") {
    CHECK(hides_text("a\0b"s));
    CHECK(hides_text("a\rb"));
    CHECK(hides_text("a\r\r\n"));
    CHECK_FALSE(hides_text("a\r\nb\n\r\n"));
    CHECK_FALSE(hides_text("a\r"));
    CHECK_FALSE(hides_text(""));
}
