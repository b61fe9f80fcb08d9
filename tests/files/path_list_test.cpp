// Lists of paths: what they say, and that a run takes it.
#include "tests/files/checks.hpp"
#include "tests/support/listener.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/inputs/inputs.hpp>

#include <catch2/catch.hpp>

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using namespace bowhist;
using namespace std::string_literals;

namespace {

using Names = std::vector<std::string>;

/// The paths of a list; a fault stands behind its path as "path: fault".
Names names(const std::string &text, bool null_separated = false) {
    PathList list(text, null_separated, "list");
    Names result;
    while (const auto path = list.next())
        result.push_back(path->fault.empty() ? path->path
                                             : path->path + ": " + std::string(path->fault));
    return result;
}

/// The units of `text` as bytes; letters beyond 16 bits are not for a width of 2.
std::string wide(std::u32string_view text, std::size_t width, bool big_endian) {
    std::string bytes;
    for (const char32_t letter : text)
        for (std::size_t i = 0; i < width; ++i)
            bytes += static_cast<char>(letter >> 8 * (big_endian ? width - 1 - i : i));
    return bytes;
}

std::string touched(const TemporaryFolder &folder, const std::string &name) {
    checks::write_bytes(folder / name, "x");
    return (folder / name).native();
}

std::string fault_of_nul_separated(const std::string &text) {
    try {
        names(text, true);
    } catch (const Error &error) {
        CHECK(error.fault == Fault::usage);
        return error.what();
    }
    return {};
}

std::vector<std::string> paths(const InputList &list) {
    std::vector<std::string> result;
    for (const auto &input : list.inputs) result.push_back(input.path.native());
    return result;
}

/// Standard input for as long as it lives.
class StandardInput {
  public:
    explicit StandardInput(const std::string &text)
        : text_(text), old_(std::cin.rdbuf(text_.rdbuf())) {}
    ~StandardInput() {
        std::cin.rdbuf(old_);
        std::cin.clear();
    }
    StandardInput(const StandardInput &) = delete;
    StandardInput &operator=(const StandardInput &) = delete;

  private:
    std::istringstream text_;
    std::streambuf *old_;
};

const Names two = {"a b.png", "sub/\xC3\xA9.jpg"};

} // namespace

TEST_CASE("path list: A line ends with LF, CRLF or the text; empty ones are left out") {
    for (const auto *text :
         {"a b.png\nsub/\xC3\xA9.jpg\n", "\n\na b.png\n\nsub/\xC3\xA9.jpg",
          "a b.png\r\nsub/\xC3\xA9.jpg\r\n", "\r\na b.png\r\n\r\nsub/\xC3\xA9.jpg",
          "a b.png\r\nsub/\xC3\xA9.jpg\n", "a b.png\nsub/\xC3\xA9.jpg\r"})
        CHECK(names(text) == two);
    CHECK(names("").empty());
    CHECK(names("\r\n\r\n").empty());
    CHECK(names(" a \t\n").front() == " a \t"); // nothing else is trimmed
}

TEST_CASE("path list: A list without LF is separated by CR") {
    CHECK(names("a b.png\rsub/\xC3\xA9.jpg\r") == two);
    const TemporaryFolder folder;
    const std::string odd = touched(folder, "x\ry.png");
    CHECK(names(odd) == Names{odd}); // but for one path with a CR in it
    CHECK(names(odd + "\nz.png\n") == Names{odd, "z.png"});
}

TEST_CASE("path list: A byte order mark is no part of a path") {
    CHECK(names("\xEF\xBB\xBF"
                "a b.png\r\nsub/\xC3\xA9.jpg\r\n") == two);
    CHECK(names("a b.png\n\xEF\xBB\xBFsub/\xC3\xA9.jpg\n") == two); // of the second of two lists
    CHECK(names("\xEF\xBB\xBF"
                "a\0b\0"s,
                true) == Names{"a", "b"});
    CHECK(names("\xEF\xBB\xBF\r\n").empty());
}

TEST_CASE("path list: A name that really ends in CR is taken if it is the only one") {
    const TemporaryFolder folder;
    const std::string with = touched(folder, "x.png\r");
    CHECK(names(with + "\ny.png\n") == Names{with, "y.png"});
    const std::string without = touched(folder, "x.png");
    const auto both = names(with + "\ny.png\n");
    REQUIRE(both.size() == 2);
    CHECK_THAT(both.front(), Catch::StartsWith(with + ": ") && Catch::Contains("-0"));
    CHECK(names(without + "\n" + with + "\n").front() == without);
    CHECK(names(with + '\0' + without + '\0', true) == Names{with, without});
}

TEST_CASE("path list: UTF-16 and UTF-32 become UTF-8, in each byte order, with a mark or not") {
    for (const std::u32string_view ends : {U"\n", U"\r\n", U"\r"})
        for (const std::u32string_view mark : {U"\uFEFF", U""})
            for (const std::size_t width : {2, 4})
                for (const bool big : {false, true}) {
                    const std::u32string text = std::u32string(mark) + U"a b.png" + ends.data() +
                                                U"sub/é.jpg" + ends.data();
                    CHECK(names(wide(text, width, big)) == two);
                    CHECK(names(wide(text.substr(0, text.size() - ends.size()), width, big)) ==
                          two);
                    CHECK_THAT(fault_of_nul_separated(wide(text, width, big)),
                               Catch::StartsWith("list: ") && Catch::Contains("leave -0 out"));
                }
    // U+4E00 has a NUL byte as an ASCII letter has, on its other side; U+1F426 is a surrogate pair
    for (const bool big : {false, true}) {
        CHECK(names(wide(U"\u4E00\u6708.jpg\r\n", 2, big)) ==
              Names{"\xE4\xB8\x80\xE6\x9C\x88.jpg"});
        CHECK(names(wide(U"\u5199\u771F\r\n", 2, big)) == Names{"\xE5\x86\x99\xE7\x9C\x9F"});
        CHECK(names(wide({U"\xD83D\xDC26.jpg\r\n", 8}, 2, big)) == Names{"\xF0\x9F\x90\xA6.jpg"});
    }
}

TEST_CASE("path list: Half of a letter is a fault of its line") {
    for (const bool big : {false, true})
        for (const char32_t half : {0xd83d, 0xdc26}) {
            const std::u32string text = U"a.jpg\r\nb"s + half + U".jpg\r\nc.jpg\r\n";
            const auto found = names(wide(text, 2, big));
            REQUIRE(found.size() == 3);
            CHECK(found[0] == "a.jpg");
            CHECK_THAT(found[1], Catch::Contains("UTF-16 is damaged"));
            CHECK(found[2] == "c.jpg");
        }
    for (const std::size_t kept : {7 * 2 + 1, 12 * 2 + 1}) { // in a name, in its line break
        const auto cut = names(wide(U"a.jpg\r\nb.jpg\r\n", 2, false).substr(0, kept));
        REQUIRE(cut.size() == 2);
        CHECK(cut[0] == "a.jpg");
        CHECK_THAT(cut[1], Catch::Contains("UTF-16 is damaged"));
    }
}

TEST_CASE("path list: NUL-separated names are bytes, short ones and line breaks, too") {
    for (const Names &given :
         {Names{"a\nb.jpg", "c\n", "d\r"}, Names{"a", "b", "c", "d"},
          Names{"0", "1", "2", "3", "sub/", "x/y.jpg"}, Names{".", "./a", "./b"},
          Names{"\xFF\xFE.jpg", "\xFF\xFE"
                                "a.jpg"},
          Names{"ab\n", "cd\n"}, Names{"abc", "def"}, Names{"a b"}}) {
        std::string text;
        for (const auto &name : given) text += name + '\0';
        CHECK(names(text, true) == given);
        text.pop_back();
        CHECK(names(text, true) == given);
        CHECK(names('\0' + text + "\0\0\0"s, true) == given); // an empty one is no folder
    }
    CHECK_THAT(names("a.jpg\nb.jpg\n", true).front(), Catch::Contains("leave -0 out"));
    for (const auto &text : {"photos/x.jpg\0photos/y.jpg\0"s, "abc\0def\0"s, "a\0b"s})
        CHECK_THAT(names(text).front(), Catch::Contains("needs -0"));
}

TEST_CASE("path list: Bytes that begin as UTF-16 does are a name where they hold no NUL") {
    CHECK(names("\xFF\xFE.jpg\n\xFE\xFFx.jpg\n") == Names{"\xFF\xFE.jpg", "\xFE\xFFx.jpg"});
}

TEST_CASE("path list: A list names files and folders, after the arguments") {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "album");
    touched(folder, "album/x.jpg");
    const auto album = (folder / "album").native();
    checks::write_bytes(folder / "list",
                        "b.jpg\n\n" + album + "\n carriage \r\nlast without an end");
    testing::Listener listener;
    const auto list = list_inputs({.arguments = {"a.jpg"}, .list = folder / "list"}, listener);
    CHECK(paths(list) ==
          Names{"a.jpg", "b.jpg", album + "/x.jpg", " carriage ", "last without an end"});
}

TEST_CASE("path list: A NUL-separated list keeps line breaks, from standard input too") {
    testing::Listener listener;
    const StandardInput input("a\nb.jpg\0\0c.jpg\0"s);
    const auto list = list_inputs({.list = "-", .null_separated = true}, listener);
    CHECK(paths(list) == Names{"a\nb.jpg", "c.jpg"});
}

TEST_CASE("path list: A list that Windows wrote is read, from standard input too") {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "album");
    touched(folder, "album/x.jpg");
    const auto album = (folder / "album").native();
    std::string utf16 = "\xFF\xFE";
    for (const char letter : "b.jpg\r\n" + album + "\r\n") (utf16 += letter) += '\0';
    checks::write_bytes(folder / "list", utf16);
    testing::Listener listener;
    CHECK(paths(list_inputs({.list = folder / "list"}, listener)) ==
          Names{"b.jpg", album + "/x.jpg"});
    const StandardInput input(utf16 + "\xD8");
    const auto list = list_inputs({.list = "-"}, listener);
    CHECK(paths(list) == Names{"b.jpg", album + "/x.jpg"});
    CHECK(list.skipped == 1);
    REQUIRE(listener.reasons.size() == 1);
    CHECK_THAT(listener.reasons.front(), Catch::Contains("in standard input: its UTF-16"));
}

TEST_CASE("path list: A list that cannot be read is wrong usage") {
    const TemporaryFolder folder;
    testing::Listener listener;
    for (const auto &bad : {folder / "missing", folder.path()})
        checks::require_error(Fault::usage, bad.native() + ": ", {},
                              [&] { list_inputs({.list = bad}, listener); });
}
