#include <bowhist/core/printable.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/io/surrogate_escape.hpp>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <random>

using namespace bowhist;

namespace {

/// Bytes that come near to UTF-8: long runs of valid letters, and their parts out of place.
std::string random_bytes(std::mt19937 &random) {
    static const std::vector<std::string> pieces = {"a",
                                                    "\"",
                                                    "\\",
                                                    "\\u000080",
                                                    "\\udc80",
                                                    "\n",
                                                    "%",
                                                    "\xc3\xa4",
                                                    "\xe2\x82\xac",
                                                    "\xf0\x9f\x98\x80",
                                                    "\xed\xb2\x80",
                                                    "\xc0\x80",
                                                    "\xf4\x90\x80\x80",
                                                    "\xe0\x80\x80",
                                                    "\xc3",
                                                    "\xe2\x82",
                                                    "\x80",
                                                    "\xef\xbf\xbd",
                                                    "\xf4\x8f\xbf\xbf",
                                                    "\x7f"};
    std::string bytes;
    for (auto length = random() % 12; length > 0; --length) {
        if (random() % 3 == 0) {
            bytes += static_cast<char>(1 + random() % 255);
        } else {
            bytes += pieces[random() % pieces.size()];
        }
    }
    return bytes;
}

} // namespace

TEST_CASE("files: surrogateescape gives every byte sequence back") {
    std::mt19937 random(1);
    for (int i = 0; i < 100'000; ++i) {
        const std::string bytes = random_bytes(random);
        const std::u32string text = decode_path(bytes);
        REQUIRE(encode_path(text) == bytes);
    }
    for (unsigned pair = 0; pair < 65536; ++pair) {
        const std::string bytes{static_cast<char>(pair >> 8), static_cast<char>(pair & 255)};
        REQUIRE(encode_path(decode_path(bytes)) == bytes);
    }
}

TEST_CASE("files: surrogateescape decodes as Python does") {
    // each as Python 3.11 prints list(map(hex, map(ord, bytes.decode('utf-8', 'surrogateescape'))))
    CHECK(decode_path("") == U"");
    CHECK(decode_path("a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80") == U"a\u00e4\u20ac\U0001f600");
    const std::u32string escaped_e2_82_41{0xdce2, 0xdc82, 'A'};
    CHECK(decode_path("\xe2\x82"
                      "A") == escaped_e2_82_41);
    const std::u32string overlong{0xdcc0, 0xdc80};
    CHECK(decode_path("\xc0\x80") == overlong);
    const std::u32string surrogate{0xdced, 0xdcb2, 0xdc80};
    CHECK(decode_path("\xed\xb2\x80") == surrogate);
    const std::u32string beyond{0xdcf4, 0xdc90, 0xdc80, 0xdc80};
    CHECK(decode_path("\xf4\x90\x80\x80") == beyond);
    CHECK(decode_path("\xf4\x8f\xbf\xbf") == std::u32string{0x10ffff});
}

TEST_CASE("files: what decode_path never makes is replaced") {
    CHECK(encode_path(std::u32string{0xd800}) == "\xef\xbf\xbd");
    CHECK(encode_path(std::u32string{0xdc7f}) == "\xef\xbf\xbd");
    CHECK(encode_path(std::u32string{0x110000}) == "\xef\xbf\xbd");
}

TEST_CASE("files: JSON strings") {
    CHECK(json_string("") == R"("")");
    CHECK(json_string("a\"b\\c\n\x01") == R"("a\"b\\c\n\u0001")");
    CHECK(json_string("\xff\xc3\xa4") == "\"\\udcff\xc3\xa4\"");
}

TEST_CASE("files: JSON strings give every path back through a strict parser") {
    std::mt19937 random(2);
    for (int i = 0; i < 50'000; ++i) {
        const std::string bytes = random_bytes(random);
        const auto parsed = nlohmann::json::parse(protect_escapes(json_string(bytes)));
        REQUIRE(restore_bytes(parsed.get<std::string>()) == bytes);
    }
}

TEST_CASE("files: only lone escapes of bytes are protected") {
    CHECK(protect_escapes(R"("\udc80")") == R"("\u000080")");
    CHECK(protect_escapes(R"("\uDCFF0")") == R"("\u0000FF0")");
    for (const char *same : {R"("\ud83d\ude00")", R"("\\udc80")", R"("\udc7f")", R"("\udd00")",
                             R"("\ud800\udc80")", R"("\udc8")", R"(\)", R"("A")"})
        CHECK(protect_escapes(same) == same);
}

TEST_CASE("files: messages stay on one line") {
    CHECK(printable("a b,\"c\".jpg") == "a b,\"c\".jpg");
    CHECK(printable("a\nb\rc\td\x1b[0m\x7f") == "a\\nb\\rc\\td\\x1b[0m\\x7f");
    CHECK(printable("\xc3\xa4 \xc2\x9b \xff") == "\xc3\xa4 \\xc2\\x9b \xff");
    CHECK(fmt::format("{}: {:>4}", std::filesystem::path("a\nb"), std::filesystem::path()) ==
          "a\\nb:   ''");
    CHECK(printable(std::string("a\0b", 3)) == "a\\x00b");
}

TEST_CASE("files: endings in any case") {
    CHECK(ending_of("a/B.NPY") == ".npy");
    CHECK(ending_of("a.b/c").empty());
    CHECK(ending_of(".npy").empty());
    CHECK(ending_of("a.tar.Gz") == ".gz");
}
