#include <bowhist/io/foreign_file.hpp>
#include <bowhist/tables/descriptors/descriptor_file.hpp>
#include <bowhist/tables/formats/npy.hpp>
#include <bowhist/tables/vocabulary/vocabulary_file.hpp>

#include "tests/files/checks.hpp"
#include "tests/support/temporary_folder.hpp"

#include <random>

using namespace bowhist;
using namespace std::string_literals;

namespace {

/// The kind of a file with this content, and the advice; empty where the kind is unknown.
std::string refusal_of(const TemporaryFolder &folder, const std::string &name,
                       const std::string &content, Expected expected = Expected::image) {
    checks::write_bytes(folder / name, content);
    const InputFile file(folder / name, Fault::input);
    const auto found = recognize(file, expected);
    return found ? refusal(*found, expected) : "";
}

/// Rows that begin with their number of values, of `bytes` bytes each.
std::string vecs(std::uint32_t rows, std::uint32_t dimensions, std::size_t bytes) {
    std::mt19937 random(1);
    std::string file;
    for (std::uint32_t row = 0; row < rows; ++row) {
        file += checks::bytes(dimensions);
        for (std::size_t i = 0; i < dimensions * bytes; ++i) file += static_cast<char>(random());
    }
    return file;
}

std::string bin(std::uint32_t rows, std::uint32_t dimensions, const std::string &values) {
    return checks::bytes(rows, dimensions) + values;
}

std::string noise(std::size_t bytes) {
    return vecs(1, static_cast<std::uint32_t>(bytes), 1).substr(4);
}

} // namespace

TEST_CASE("foreign: A kind is recognized by its content, whatever it should have been") {
    struct Known {
        const char *name;
        std::string content;
        std::vector<std::string> words;
    };
    const std::string rest(700, '\x55');
    const std::vector<Known> kinds = {
        {"an HDF5 file", "\x89HDF\r\n\x1A\n" + rest, {"numpy.save"}},
        {"a MATLAB file", "MATLAB 5.0 MAT-file, Platform: GLNXA64" + rest, {"loadmat"}},
        {"a pickle of Python", "\x80\x04\x95" + rest, {"numpy.save"}},
        {"a pickle of Python", "\x80\x02]q" + rest, {"numpy.save"}},
        {"a Parquet file", "PAR1" + rest, {"to_csv"}},
        {"an Arrow file", "ARROW1\0\0"s + rest, {"to_csv"}},
        {"a Feather file", "FEA1" + rest, {"to_csv"}},
        {"an SQLite database", "SQLite format 3\0"s + rest, {"CSV"}},
        {"an old Office file", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1" + rest, {"CSV"}},
        {"packed by gzip", "\x1F\x8B\x08" + rest, {"gunzip"}},
        {"packed by xz",
         "\xFD"
         "7zXZ\0"s +
             rest,
         {"unxz"}},
        {"packed by zstd", "\x28\xB5\x2F\xFD" + rest, {"unzstd"}},
        {"packed by bzip2", "BZh9" + rest, {"bunzip2"}},
        {"a 7-Zip archive", "7z\xBC\xAF\x27\x1C" + rest, {"7z x"}},
        {"a RAR archive", "Rar!\x1A\x07\1" + rest, {"unrar"}},
        {"a tar archive", std::string(257, 'x') + "ustar" + rest, {"tar xf"}},
        {"AppleDouble", "\0\5\x16\7"s + rest, {"without ._"}},
        {"iCloud", "bplist00" + rest, {"download"}},
        {"a Windows shortcut", "L\0\0\0\x01\x14\x02\0"s + rest, {"stands for"}},
        {"a Git LFS pointer", "version https://git-lfs.github.com/spec/v1\n", {"git lfs pull"}},
        {"a web page", "\xEF\xBB\xBF \r\n<!DOCTYPE html>", {"get the file again"}},
        {"a web page", "<!-- a comment -->\n<HTML>" + rest, {"get the file again"}},
        {"a web page", "\xFF\xFE<\0h\0t\0m\0l\0>\0"s, {"get the file again"}},
        {"a server's answer in XML", "<?xml version='1.0'?><Error><Code>", {"get the file again"}},
        {"a server's answer in JSON", R"({"error": "not found"})", {"get the file again"}},
        {"a list in JSON", R"([{"image": "a"}])", {"jq -c"}},
        {"an e-mail", "Return-Path: <a@b.c>\n", {"save the pictures"}},
        {"a picture as text", "data:image/jpeg;base64,/9j/4AAQ", {"base64 -d"}},
        {"a picture as text", "iVBORw0KGgoAAAANSUhEUgAAAAEA", {"base64 -d"}},
        {"an MP4 video",
         "\0\0\0\x20"
         "ftypisom"s +
             rest,
         {}},
        {"a QuickTime video",
         "\0\0\0\x20"
         "ftypqt  "s +
             rest,
         {}},
        {"an AVI video", "RIFF\0\0\0\0AVI LIST"s + rest, {}},
        {"a Matroska or WebM video", "\x1A\x45\xDF\xA3" + rest, {}},
        {"a raw file of a Canon",
         "\0\0\0\x18"
         "ftypcrx "s +
             rest,
         {}},
        {"a raw file of a Fujifilm", "FUJIFILMCCD-RAW 0201" + rest, {}},
        {"a raw file of a Sigma", "FOVb" + rest, {}},
        {"a raw file of a Minolta", "\0MRM"s + rest, {}},
        {"a raw file of an Olympus", "IIRO" + rest, {}},
        {"a raw file of an Olympus", "IIRS" + rest, {}},
        {"a raw file of a Panasonic", "IIU\0"s + rest, {}},
        {"an XPM picture", "/* XPM */\nstatic char", {}},
        {"a PostScript file", "%!PS-Adobe-3.0 EPSF-3.0\n", {}},
        {"a DICOM file", std::string(128, '\0') + "DICM" + rest, {}},
        {"all of them zero", std::string(200'000, '\0'), {"200000 bytes", "interrupted copy"}},
        {"all of them 255", std::string(200'000, '\xFF'), {"200000 bytes", "damaged disk"}},
        {"an array of NumPy", npy_header("<f4", {1, 1}) + "abcd", {".npy"}},
    };
    const TemporaryFolder folder;
    for (const Known &kind : kinds)
        for (const char *name : {"x.jpg", "x.fbin", "x.bin", "x.csv", "x"})
            for (const Expected expected : {Expected::image, Expected::descriptors,
                                            Expected::vocabulary, Expected::histograms}) {
                INFO(kind.name << " as " << name);
                const std::string line = refusal_of(folder, name, kind.content, expected);
                CHECK_THAT(line, Catch::Contains(kind.name));
                for (const std::string &word : kind.words) CHECK_THAT(line, Catch::Contains(word));
                CHECK(line.find('\n') == std::string::npos);
                CHECK(line.size() < 300);
                const bool names_c_bin = line.find("`bowhist train` writes") != std::string::npos;
                CHECK(names_c_bin == (expected == Expected::vocabulary));
            }
}

TEST_CASE("foreign: Rows without a mark are recognized by their sizes") {
    const TemporaryFolder folder;
    for (const char *name : {"x.bvecs", "x.jpg", "x.fvecs", "x.bin"}) {
        CHECK_THAT(refusal_of(folder, name, vecs(10, 64, 1), Expected::descriptors),
                   Catch::Contains("rows of 64 bytes as in .bvecs") &&
                       Catch::Contains("reshape(-1, 68)[:, 4:]"));
        CHECK_THAT(refusal_of(folder, name, vecs(10, 64, 2), Expected::descriptors),
                   Catch::Contains("rows of 64 half floats as in .hvecs") &&
                       Catch::Contains("reshape(-1, 66)[:, 2:]"));
    }
    CHECK_THAT(refusal_of(folder, "x.ivecs", vecs(10, 5, 4)),
               Catch::Contains("rows of 5 whole numbers as in .ivecs") &&
                   Catch::Contains("reshape(-1, 6)[:, 1:]"));
    for (const char *name : {"x.u8bin", "x.fbin", "x.bin", "x.jpg"})
        CHECK_THAT(refusal_of(folder, name, bin(50, 100, noise(5000)), Expected::descriptors),
                   Catch::Contains("rows of 100 bytes as in .u8bin") &&
                       Catch::Contains("offset=8).reshape(-1, 100)"));
    CHECK_THAT(refusal_of(folder, "x.i8bin", bin(50, 100, noise(5000))), Catch::Contains("'i1'"));
    const std::string floats = checks::bytes_of_all(checks::numbered(40));
    CHECK_THAT(refusal_of(folder, "x.ibin", bin(10, 4, floats)), Catch::Contains("as in .ibin"));
    CHECK_THAT(refusal_of(folder, "x.jpg", bin(10, 4, floats)), Catch::Contains("as in .fbin"));
    // their own reader has said what is wrong with them; a quarter of the rows is no rows of bytes
    CHECK(refusal_of(folder, "x.fbin", bin(10, 4, floats), Expected::descriptors).empty());
    CHECK(refusal_of(folder, "c.bin", bin(10, 4, floats), Expected::vocabulary).empty());
    CHECK(refusal_of(folder, "x.fbin", bin(40, 4, floats), Expected::descriptors).empty());
    // what only the name says
    CHECK_THAT(refusal_of(folder, "x.bvecs", "any"), Catch::Contains("rows of bytes by its name"));
}

TEST_CASE("foreign: Where a picture should be, text shows its first line") {
    const TemporaryFolder folder;
    for (const std::string &content : {"404: Not Found"s, "\n404: Not Found\r\nmore\n"s}) {
        const std::string line = refusal_of(folder, "x.jpg", content);
        CHECK_THAT(line, Catch::Contains("text that begins with '404: Not Found'; "));
        CHECK_THAT(line, Catch::Contains("get the file again"));
    }
    CHECK(refusal_of(folder, "x.jpg", std::string(10000, 'x')).size() < 200);
    CHECK_THAT(refusal_of(folder, "x.jpg", " \n"), Catch::Contains("text that begins with ''"));
}

TEST_CASE("foreign: What has no mark is left to its reader") {
    const TemporaryFolder folder;
    for (const std::string &content : {""s, "x\1"s, "no picture\x7F at all"s, noise(1000)}) {
        INFO(content);
        CHECK(refusal_of(folder, "x.jpg", content).empty());
    }
    for (const std::string &content : {"x"s, "404: Not Found\n"s})
        for (const Expected expected :
             {Expected::descriptors, Expected::vocabulary, Expected::histograms})
            CHECK(refusal_of(folder, "x.dat", content, expected).empty());
    CHECK(refusal_of(folder, "x.npy", npy_header("<f8", {1, 1}) + "12345678").empty());
    CHECK(refusal_of(folder, "x.jsonl", R"({"error": 5})", Expected::histograms).empty());
    CHECK(refusal_of(folder, "x.xml", "<?xml?><opencv_storage>", Expected::vocabulary).empty());
    CHECK(refusal_of(folder, "x.yml", "%YAML:1.0\n", Expected::vocabulary).empty());
}

TEST_CASE("foreign: Any bytes are looked at without harm") {
    const TemporaryFolder folder;
    std::mt19937 random(3);
    const auto begins = {"PK\3\4"s, "\x80\4"s, "{"s, "[ "s, "<?xml"s, "RIFF"s, "\1\0\0\0\1\0\0\0"s};
    for (const auto &begin : begins)
        for (int round = 0; round < 100; ++round) {
            std::string content = begin;
            for (auto more = random() % 400; more > 0; --more)
                content += static_cast<char>(random() % 4 == 0 ? 0 : random());
            for (const Expected expected : {Expected::image, Expected::vocabulary})
                refusal_of(folder, "x.npz", content, expected);
        }
    SUCCEED();
}

TEST_CASE("foreign: Subnormal floats look like whole numbers, and are floats") {
    const TemporaryFolder folder;
    const std::string rows = checks::bytes(std::uint32_t{2}, std::uint32_t{1}, 7U, 32U);
    checks::write_bytes(folder / "x.fbin", rows);
    CHECK(read_descriptors(folder / "x.fbin").values == std::vector<float>{9.8e-45F, 4.5e-44F});
    CHECK(read_vocabulary(folder / "x.fbin").size() == 2);
}
