#include <bowhist/pictures/header/capture_time.hpp>

#include <catch2/catch.hpp>

#include <cstdint>
#include <string>
#include <vector>

using namespace bowhist;
using namespace std::string_literals;

namespace {

struct Date {
    unsigned tag;
    std::string text;
};

/// A TIFF block with one directory, and an Exif directory behind it.
class Block {
  public:
    explicit Block(bool big) : big_(big) {}

    std::string with(const std::vector<Date> &first, const std::vector<Date> &exif) const {
        const std::size_t exif_at = 8 + size(first.size() + 1);
        std::size_t text_at = exif_at + size(exif.size());
        std::string block = (big_ ? "MM"s : "II"s) + number(42, 2) + number(8, 4);
        std::string texts;
        const auto add = [&](const std::vector<Date> &dates, std::size_t more) {
            block += number(dates.size() + more, 2);
            for (const Date &date : dates) {
                block += number(date.tag, 2) + number(2, 2) + number(date.text.size(), 4) +
                         number(text_at + texts.size(), 4);
                texts += date.text;
            }
        };
        add(first, 1);
        block += number(0x8769, 2) + number(4, 2) + number(1, 4) + number(exif_at, 4);
        block += number(0, 4);
        add(exif, 0);
        return block + number(0, 4) + texts;
    }

  private:
    static std::size_t size(std::size_t entries) { return 2 + 12 * entries + 4; }
    std::string number(std::size_t value, int bytes) const {
        std::string text;
        for (int i = 0; i < bytes; ++i)
            text += static_cast<char>(value >> (8 * (big_ ? bytes - 1 - i : i)));
        return text;
    }

    bool big_;
};

const Date changed{0x0132, "2001:01:01 01:01:01\0"s};
const Date original{0x9003, "2026:11:26 07:10:54\0"s};
const Date digitized{0x9004, "2025:12:31 23:59:59\0"s};

} // namespace

TEST_CASE("capture time: The original's counts before the digitized one's and the file's") {
    for (const bool big : {false, true}) {
        const Block block(big);
        CHECK(capture_time(block.with({changed}, {digitized, original})) == "2026-11-26T07:10:54");
        CHECK(capture_time(block.with({changed}, {digitized})) == "2025-12-31T23:59:59");
        CHECK(capture_time(block.with({changed}, {})) == "2001-01-01T01:01:01");
        CHECK_FALSE(capture_time(block.with({}, {})));
    }
}

TEST_CASE("capture time: Each container's block is found") {
    const auto block = Block(false).with({}, {original});
    for (const auto &front : {"\xff\xd8\xff\xe1\1\1Exif\0\0"s, "\x89PNG....eXIf"s,
                              "RIFF....WEBPEXIF\1\2\3\4"s, "words of Exif\0\0 and then Exif\0\0"s})
        CHECK(capture_time(front + block) == "2026-11-26T07:10:54");
}

TEST_CASE("capture time: What is no date, or is cut, gives nothing") {
    const Block block(false);
    for (const auto &text :
         {"    :  :     :  :  \0"s, "0000:00:00 00:00:00\0"s, "2026-11-26\0"s, "soon"s, ""s})
        CHECK_FALSE(capture_time(block.with({}, {{0x9003, text}})));
    const auto whole = block.with({changed}, {original});
    for (std::size_t size = 0; size + 40 < whole.size(); ++size)
        CHECK_FALSE(capture_time("Exif\0\0"s + whole.substr(0, size)));
}

TEST_CASE("capture time: An offset from UTC follows its own time") {
    for (const bool big : {false, true}) {
        const Block block(big);
        const Date ahead{0x9011, "+02:00\0"s};
        const Date behind{0x9012, "-11:30\0"s};
        const Date of_file{0x9010, "+00:00\0"s};
        CHECK(capture_time(block.with({changed}, {original, ahead, behind})) ==
              "2026-11-26T07:10:54+02:00");
        CHECK(capture_time(block.with({changed}, {digitized, ahead, behind})) ==
              "2025-12-31T23:59:59-11:30");
        CHECK(capture_time(block.with({changed}, {ahead, of_file})) == "2001-01-01T01:01:01+00:00");
        for (const auto &text :
             {"      \0"s, "+2:000\0"s, "+15:00\0"s, "+02:60\0"s, "02:00\0"s, "+"s})
            CHECK(capture_time(block.with({}, {original, {0x9011, text}})) ==
                  "2026-11-26T07:10:54");
    }
}

TEST_CASE("capture time: Clocks that were never set, and ran on, write a default") {
    for (const auto *time :
         {"0001-01-01T00:00:00", "0001-07-09T12:31:00", "1970-01-01T00:00:00",
          "1970-01-31T23:59:59", "1980-01-01T00:01:12", "1980-01-30T08:00:00",
          "2000-01-01T00:00:00+01:00", "2000-01-01T00:59:59", "2002-12-08T12:03:10"})
        CHECK(is_default_time(time));
    for (const auto *time : {"2026-11-26T07:10:54", "1969-12-31T23:59:59", "1970-02-01T00:00:00",
                             "1979-12-31T23:59:59", "1980-02-01T00:00:00", "1999-12-31T23:59:59",
                             "2000-01-01T01:00:00", "2002-12-08T11:59:59", "2002-12-08T13:00:00",
                             "1001-01-01T00:00:00", "", "0001"})
        CHECK_FALSE(is_default_time(time));
}
