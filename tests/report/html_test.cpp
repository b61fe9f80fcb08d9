#include <bowhist/report/html.hpp>

#include <catch2/catch.hpp>

using namespace bowhist;

TEST_CASE("html: base64 as in RFC 4648, section 10") {
    CHECK(base64("") == "");
    CHECK(base64("f") == "Zg==");
    CHECK(base64("fo") == "Zm8=");
    CHECK(base64("foo") == "Zm9v");
    CHECK(base64("foob") == "Zm9vYg==");
    CHECK(base64("fooba") == "Zm9vYmE=");
    CHECK(base64("foobar") == "Zm9vYmFy");
    CHECK(base64("\xff\xfe\xfd") == "//79");
}

TEST_CASE("html: no path breaks out of its place") {
    CHECK(html_escape("<a href=\"x\">&'") == "&lt;a href=&quot;x&quot;&gt;&amp;'");
    CHECK(html_escape("gr\xc3\xbcn") == "gr\xc3\xbcn");
    CHECK(html_escape("\xff.jpg") == "\xef\xbf\xbd.jpg");
}

TEST_CASE("html: no mark in a name turns the letters behind it around") {
    CHECK(html_name("\u202egpj.exe<\u2066\xff") == "\uFFFDgpj.exe&lt;\uFFFD\uFFFD");
    CHECK(html_name("\u05e9\u05dc\u05d5\u05dd \u200f.jpg") ==
          "\u05e9\u05dc\u05d5\u05dd \u200f.jpg");
}

TEST_CASE("html: a path in a URL stays the path, byte for byte") {
    CHECK(url_escape("photos/../A-z_0.9~.jpg") == "photos/../A-z_0.9~.jpg");
    CHECK(url_escape("a b%#?:&\"'<\n\xff") == "a%20b%25%23%3F%3A%26%22%27%3C%0A%FF");
    CHECK(url_escape("").empty());
}
