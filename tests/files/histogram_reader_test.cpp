#include <bowhist/tables/formats/npy.hpp>
#include <bowhist/tables/histograms/histogram_reader.hpp>

#include "tests/files/checks.hpp"
#include "tests/files/histograms.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>

#include <sys/stat.h>

using namespace bowhist;
using namespace std::string_literals;

namespace {

std::vector<float> expected_values(const std::vector<Histogram> &rows, Normalization how) {
    std::vector<float> values;
    for (const auto &row : rows) {
        const auto features = normalize(row.counts, how);
        values.insert(values.end(), features.begin(), features.end());
    }
    return values;
}

std::uint32_t checksum(std::string_view content) {
    std::uint32_t value = 0xffffffff;
    for (const unsigned char byte : content) {
        value ^= byte;
        for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ (value & 1 ? 0xedb88320U : 0);
    }
    return ~value;
}

/// A zip archive with these entries, put together by hand; `promised` bytes are added to the sizes
/// in its directory.
std::string zip(const std::vector<std::pair<std::string, std::string>> &entries,
                std::uint32_t promised = 0) {
    std::string archive;
    std::string directory;
    for (const auto &[name, content] : entries) {
        const auto bytes = static_cast<std::uint32_t>(content.size());
        const auto place = static_cast<std::uint32_t>(archive.size());
        const std::string facts =
            checks::bytes(std::uint16_t{20}, std::uint16_t{0}, std::uint16_t{0}, std::uint32_t{0},
                          checksum(content), bytes, bytes + promised,
                          static_cast<std::uint16_t>(name.size()), std::uint16_t{0});
        archive += "PK\x03\x04" + facts + name + content;
        directory += "PK\x01\x02" + checks::bytes(std::uint16_t{20}) + facts +
                     std::string(10, '\0') + checks::bytes(place) + name;
    }
    const auto count = static_cast<std::uint16_t>(entries.size());
    return archive + directory + std::string("PK\x05\x06\0\0\0\0", 8) +
           checks::bytes(count, count, static_cast<std::uint32_t>(directory.size()),
                         static_cast<std::uint32_t>(archive.size()), std::uint16_t{0});
}

HistogramTable read_one(const std::filesystem::path &path) {
    return read_histograms(path);
}

void refuse(const std::filesystem::path &path, const std::vector<std::string> &parts) {
    checks::require_error(Fault::input, path.string(), parts, [&] { read_histograms(path); });
}

} // namespace

TEST_CASE("files: histograms read back, from each format") {
    for (const std::size_t count : {0, 1, 63, 64, 65, 1000}) {
        for (const std::size_t words : {1, 64, 65}) {
            for (const auto how : {Normalization::none, Normalization::l1, Normalization::l2,
                                   Normalization::hellinger}) {
                const TemporaryFolder folder;
                const auto rows = histograms::rows(count, words);
                for (const std::string name : {"h.csv", "h.npy", "h.npz", "h.jsonl", "h.NPZ"}) {
                    if (count == 0 && name == "h.jsonl") continue; // has no number of words
                    histograms::write(folder / name, {words, how, "f", "akaze"}, rows);
                    const HistogramTable table = read_histograms(folder / name);
                    INFO(name << " " << count << "x" << words);
                    REQUIRE(table.images.size() == count);
                    CHECK(table.words == words);
                    CHECK(table.values == expected_values(rows, how));
                    bool same_names = true;
                    for (std::size_t i = 0; i < count; ++i)
                        same_names &= table.images[i] ==
                                      (name == "h.npy" ? std::to_string(i) : rows[i].image);
                    CHECK(same_names);
                }
            }
        }
    }
}

TEST_CASE("files: counts and normalized values are distinguished") {
    const TemporaryFolder folder;
    const std::vector<Histogram> rows = {{"a", 3, {1, 2}}, {"b", 1, {0, 1}}};
    for (const char *name : {"h.csv", "h.npy", "h.npz", "h.jsonl"}) {
        histograms::write(folder / name, {2, Normalization::none, "f", "akaze"}, rows);
        CHECK(read_histograms(folder / name).content == HistogramContent::counts);
        histograms::write(folder / name, {2, Normalization::l1, "f", "akaze"}, rows);
        CHECK(read_histograms(folder / name).content == HistogramContent::normalized);
    }
}

TEST_CASE("files: what cannot be read back says why") {
    const TemporaryFolder folder;
    histograms::write(folder / "h.svm", {2, Normalization::none, "f", "a"}, {{"a", 1, {1, 0}}});
    refuse(folder / "h.svm", {"does not record k", ".npz"});
    checks::write_bytes(folder / "h.txt", "text");
    refuse(folder / "h.txt", {".csv, .npy, .npz or .jsonl", "'.txt'"});
    for (const std::string ending : {".csv", ".npy", ".npz", ".jsonl", ""}) {
        refuse(folder / ("no" + ending), {"No such file"});
        REQUIRE(::mkfifo((folder / ("pipe" + ending)).c_str(), 0600) == 0);
        refuse(folder / ("pipe" + ending), {"no regular file"});
        std::filesystem::create_directory(folder / ("d" + ending));
        refuse(folder / ("d" + ending), {"is a directory"});
    }
}

TEST_CASE("files: tables without words are no histograms") {
    const TemporaryFolder folder;
    const auto no = [&](const char *name, const std::string &content) {
        checks::write_bytes(folder / name, content);
        refuse(folder / name, {"has no words"});
    };
    no("h.csv", "image,descriptors\n");
    no("h.csv", "image,descriptors\na,5\n");
    no("h.jsonl", "");
    no("h.jsonl", R"({"image":"a","histogram":[]})");
    no("h.npy", npy_header("<u4", {0, 0}));
    no("h.npz", zip({{"histograms.npy", npy_header("<f4", {0, 0})},
                     {"images.npy", npy_header("<U1", {0})}}));
}

TEST_CASE("files: values that are negative or beyond any count are no histograms") {
    const TemporaryFolder folder;
    const auto write = [&](const std::string &value) {
        checks::write_bytes(folder / "h.csv",
                            "image,descriptors,w0,w1\na,1,1,0\nb,1,0," + value + "\n");
        checks::write_bytes(folder / "h.jsonl", R"({"image":"a","histogram":[1,0]})"
                                                "\n"
                                                R"({"image":"b","histogram":[0,)" +
                                                    value + "]}");
        const std::string table =
            npy_header("<f4", {2, 2}) + checks::bytes_of_all({1, 0, 0, std::stof(value)});
        checks::write_bytes(folder / "h.npy", table);
        checks::write_bytes(folder / "h.npz", zip({{"histograms.npy", table},
                                                   {"images.npy", npy_header("<U1", {2}) +
                                                                      checks::bytes(U'a', U'b')}}));
    };
    for (const char *name : {"h.csv", "h.jsonl", "h.npy", "h.npz"}) {
        for (const char *bad : {"-1", "-0.5", "-1e-30", "4294967808", "1e30"}) {
            write(bad);
            refuse(folder / name, {"row 1", "word 1", "from 0 to 4294967295"});
        }
        for (const char *good : {"4294967295", "-0.0", "1e-30", "0.25"}) {
            write(good);
            CHECK(read_histograms(folder / name).values.back() == std::stof(good));
        }
    }
}

TEST_CASE("files: CSV as others may have changed it") {
    const TemporaryFolder folder;
    const auto path = folder / "h.csv";
    const std::string names = "image,descriptors,w0,w1\n";
    const auto read = [&](const std::string &text) {
        checks::write_bytes(path, text);
        return read_histograms(path);
    };
    const checks::Refuse no{Fault::input, path, read_one};
    CHECK(read("image,descriptors,w0,w1\r\n\"a\r\nb\",1,1,0\r\nc,1,0,1").images ==
          std::vector<std::string>{"a\r\nb", "c"});
    CHECK(read("\"image\",\"descriptors\",\"w0\"\n\"a\",\"1\",\"1e-3\"\n").values ==
          std::vector<float>{1e-3F});
    CHECK(read("\xEF\xBB\xBF" + names + "a,1,1,0\n").images == std::vector<std::string>{"a"});
    no("", {"line 1", "image,descriptors,w0,w1"});
    no("\xEF\xBB" + names, {"line 1", "image,descriptors,w0,w1"});
    no("image,descriptors,w1\n", {"line 1"});
    no("image\n", {"line 1"});
    no(names + "a,1,1\n", {"line 2", "expected 4 fields, found 3"});
    no(names + "a,1,1,0,0\n", {"line 2", "found 5"});
    no(names + "a,1,1,0\n\nb,1,1\n", {"line 4", "found 3"});
    no(names + "\"a\nb\",1,1,0\nc,1,x\n1,0\n", {"line 4", "found 3"});
    no(names + "a,1,1,x\ty\n", {"line 2", "field 4", "'x\\ty'"});
    for (const char *number : {"", "nan", "inf", "1e99", " 1", "1 ", "0x1", "+1"})
        no(names + "a,1,1," + number + "\n", {"line 2", "field 4"});
    no(names + "\"a,1,1,0\n", {"line 2", "never ends"});
    no(names + "\"a\"b,1,1,0\n", {"line 2", "behind a quoted field"});
}

TEST_CASE("files: CSV as spreadsheets and pandas save it") {
    const TemporaryFolder folder;
    const std::string plain = "image,descriptors,w0,w1\na.jpg,3,1,2\n\"b,c\",4,4,0\n";
    const auto with = [](std::string text, char separator) {
        std::ranges::replace(text, ',', separator);
        return text;
    };
    const auto wide = [](std::string_view text, bool is_big) {
        std::string all;
        for (const char letter : text) {
            if (is_big) all += '\0';
            all += letter;
            if (!is_big) all += '\0';
        }
        return all;
    };
    const auto read = [&](const std::string &text, const char *name = "h.csv") {
        checks::write_bytes(folder / name, text);
        return read_histograms(folder / name);
    };
    const std::string names = "image,descriptors,w0,w1\n";
    for (
        const std::string &text :
        {plain, with(plain, ';'), with(plain, '\t'), with(plain, '|'),
         "sep=;\r\n" + with(plain, ';'), "sep=,\n" + plain, "\xFF\xFE" + wide(plain, false),
         "\xFE\xFF" + wide(plain, true), wide(plain, false), wide(plain, true),
         ",image,descriptors,w0,w1\n0,a.jpg,3,1,2\n1,\"b,c\",4,4,0\n"s,
         "Unnamed: 0.1,Unnamed: 0,image,descriptors,w0,w1\n0,0,a.jpg,3,1,2\n1,1,\"b,c\",4.0,4,0\n"s,
         "\"\";\"image\";\"descriptors\";\"w0\";\"w1\"\n\"1\";\"a.jpg\";3;1;2\n2;\"b,c\";4;4;0\n"s}) {
        INFO(text);
        const HistogramTable table = read(text);
        CHECK(table.values == std::vector<float>{1, 2, 4, 0});
        CHECK(table.images.size() == 2);
        CHECK(table.images[0] == "a.jpg");
        CHECK(table.words == 2);
    }
    CHECK(read(with(plain, '\t'), "h.tsv").values == std::vector<float>{1, 2, 4, 0});
    const std::string shares = "image;descriptors;w0;w1\n";
    CHECK(read(shares + "a;3;0,25;0,75\n").values == std::vector<float>{0.25F, 0.75F});
    CHECK(read(shares + "a;3;2,5E-01;1\n").values == std::vector<float>{0.25F, 1});
    CHECK(read(shares + "a;3,0;1,0;2,0\n").values == std::vector<float>{1, 2});
    CHECK(read(plain + ",,,\n\n\r\n").images.size() == 2);
    // a letter beyond 16 bits, and one of two bytes
    CHECK(read("\xFF\xFE" + wide(names, false) + std::string("\x3D\xD8\x00\xDE\xE9\0", 6) +
               wide(",1,1,0\n", false))
              .images == std::vector<std::string>{"\xF0\x9F\x98\x80\xC3\xA9"});
    // a pair of surrogates lies across the end of the first 64 KiB that are converted
    std::string faces;
    for (int i = 0; i < 20'000; ++i) faces += std::string("\x3D\xD8\x00\xDE", 4);
    CHECK(
        read("\xFF\xFE" + wide(names, false) + faces + wide(",1,1,0\n", false)).images[0].size() ==
        80'000);
    const checks::Refuse no{Fault::input, folder / "h.csv", read_one};
    no(shares + "a;3;0,25;0.75\n", {"line 2", "field 4", "decimal commas as well as points"});
    no(shares + "a;16.819;1.234;2\n", {"line 2", "whole number", "'16.819'", "thousands"});
    no(shares + "a;16,819;1,234;2\n", {"line 2", "whole number", "'16,819'", "thousands"});
    no(names + "a,3,\"0,25\",\"0,75\"\n", {"field 3", "'0,25'", "decimal points"});
    no(names + "a,3,0,25,0,75\n", {"expected 4 fields, found 6", "decimal commas"});
    no("a.jpg,3,1,2\n", {"line 1", "expected the names", "found 'a.jpg,3,1,2'"});
    no(names + std::string("a,1\0,1,0\n", 9), {"NUL byte"});
    no("\xFF\xFE" + wide(names, false) + "a", {"UTF-16", "cut off"});
    no("\xFF\xFE" + wide(names, false) +
           std::string("\x3D\xD8"
                       "a\0",
                       4),
       {"half a letter"});
    no(std::string("\xFF\xFE\0\0i\0\0\0m\0\0\0", 12), {"UTF-32"});
}

TEST_CASE("files: JSON lines as others may have written them") {
    const TemporaryFolder folder;
    const auto path = folder / "h.jsonl";
    const std::string good = R"({"image":"a","descriptors":1,"histogram":[1,0]})"
                             "\n";
    const checks::Refuse no{Fault::input, path, read_one};
    checks::write_bytes(path, R"( {"x":{"image":[1,"b",null,true,{}]},"histogram":[1,2.5e0], )"
                              R"("y":[[3]],"image":"\udcff\ud83d\ude00"})"
                              "\r\n");
    const HistogramTable table = read_histograms(path);
    CHECK(table.images == std::vector<std::string>{"\xff\xf0\x9f\x98\x80"});
    CHECK(table.values == std::vector<float>{1, 2.5F});
    checks::write_bytes(path, "\xEF\xBB\xBF" + good);
    CHECK(read_histograms(path).values == std::vector<float>{1, 0});
    no("[\n" + good + "]", {"a list in JSON", "jq -c '.[]'"});
    no("\n", {"line 1", "expected {\"image\""});
    no(good + "5\n", {"line 2"});
    no(good + "[1]\n", {"line 2"});
    no(good + "{\"image\":\"a\"}\n", {"line 2"});
    no(good + R"({"image":"a","histogram":[1]})", {"line 2", "2 words", "found 1"});
    for (const char *line :
         {R"({"image":"a","image":"b","histogram":[1,2]})", R"({"image":5,"histogram":[1,2]})",
          R"({"image":"a","histogram":[1],"histogram":[2]})",
          R"({"image":"a","histogram":[[1,2]]})", R"({"image":"a","histogram":["1",2]})",
          R"({"image":"a","histogram":[null,2]})", R"({"image":"a","histogram":[1e99,2]})",
          R"({"image":"a","histogram":{"0":1,"1":2}})", R"({"image":"a","histogram":[1,2])",
          R"({"image":"a","histogram":[NaN,2]})",
          R"({"image":"a","descriptors":"1","histogram":[1,2]})", "{\"image\":\"\xff\"}"})
        no(good + line, {"line 2", "\"histogram\": [numbers]"});
}

TEST_CASE("files: .npz archives as numpy writes them, and damaged ones") {
    const TemporaryFolder folder;
    const auto path = folder / "h.npz";
    const std::string rows = npy_header("<f4", {2, 3}) + checks::bytes_of_all(checks::numbered(6));
    const std::string names = npy_header("<U2", {2}) + checks::bytes(U'a', U'b', U'c', U'\0');
    const auto no = [&](const std::string &histograms, const std::string &images,
                        const std::vector<std::string> &parts) {
        checks::write_bytes(path, zip({{"histograms.npy", histograms}, {"images.npy", images}}));
        refuse(path, parts);
    };
    checks::write_bytes(path, zip({{"images.npy", names}, {"more", ""}, {"histograms.npy", rows}}));
    const HistogramTable table = read_histograms(path);
    CHECK(table.images == std::vector<std::string>{"ab", "c"});
    CHECK(table.values == checks::numbered(6));
    no(rows.substr(0, 150), names, {"entry histograms.npy", "24 bytes, but 22 follow"});
    no(npy_header("<f8", {2, 3}) + std::string(48, 'x'), names, {"'<f4'", "found '<f8'"});
    no(npy_header("<f4", {2, 3}) + std::string(24, '\xff'), names, {"row 0", "NaN"});
    no(rows, npy_header("<U2", {1}) + std::string(8, '\0'),
       {"entry images.npy", "2 names", "found 1"});
    no(rows, npy_header("<U0", {2}), {"entry images.npy", "'<U0'"});
    no(rows, npy_header("|S2", {2}) + "abcd", {"'<U' and its width", "'|S2'"});
    no(rows, npy_header("<U99999999999", {2}), {"'<U99999999999'"});
    no("", names, {"too short"});
    checks::write_bytes(path, zip({{"histograms.npy", rows}}));
    refuse(path,
           {"entry images.npy", "is not in the archive", "histograms ('<f4' of shape (2, 3))"});
    checks::write_bytes(path, zip({{"arr_0.npy", rows}, {"notes", "text"}}));
    refuse(path, {"holds arr_0 ('<f4' of shape (2, 3)), notes;", "histograms=..."});
    checks::write_bytes(path, zip({{"histograms.npy", rows}}, 4000000000));
    refuse(path, {"entry histograms.npy", "promises 4000000152 bytes out of 152"});
    checks::write_bytes(path,
                        zip({{"histograms.npy", rows}, {"images.npy", names}}).substr(0, 300));
    refuse(path, {"zip archive"});
    checks::write_bytes(path, "no archive");
    refuse(path, {"zip archive"});
}

TEST_CASE("files: histograms that do not fit together are refused, and both files named") {
    const TemporaryFolder folder;
    using enum Normalization;
    const auto write = [&](const char *name, const char *fingerprint, Normalization how,
                           const std::vector<std::uint32_t> &counts) {
        histograms::write(folder / name, {counts.size(), how, fingerprint, "akaze"},
                          {{"x.jpg", 4, counts}});
    };
    const auto read = [&](const std::vector<std::string> &names) {
        std::vector<std::filesystem::path> paths;
        for (const std::string &name : names) paths.push_back(folder / name);
        return read_histograms(paths);
    };
    for (const char *name : {"counts.npz", "counts.csv"}) write(name, "one", none, {3, 1});
    for (const char *name : {"l1.npz", "l1.csv"}) write(name, "one", l1, {3, 1});
    for (const char *name : {"either.npz", "either.csv"}) write(name, "one", l1, {1, 0});
    write("l2.npz", "one", l2, {3, 1});
    write("other.npz", "other", none, {3, 1});
    write("three.csv", "one", none, {3, 1, 1});
    struct Case {
        std::vector<std::string> names;
        std::string stated;
        std::string before;
    };
    for (const auto &[names, stated, before] : std::vector<Case>{
             {{"counts.npz", "other.npz"},
              "fingerprint other",
              "fingerprint one; group histograms"},
             {{"counts.csv", "counts.npz", "other.npz"}, "fingerprint other", "fingerprint one"},
             {{"counts.csv", "three.csv"}, "has 3 words", "has 2 words; group histograms"},
             {{"counts.csv", "l1.csv"}, "holds normalized histograms", "holds counts; make both"},
             {{"l1.npz", "counts.csv"}, "holds counts", "holds normalized histograms"},
             {{"l1.csv", "either.csv", "counts.csv"}, "holds counts", "holds normalized"},
             {{"either.npz", "counts.csv"}, "holds counts", "holds normalized"},
             {{"counts.csv", "either.npz"}, "holds normalized histograms", "holds counts"},
             {{"l1.npz", "l2.npz"}, "--normalize l2", "--normalize l1; make both"}}) {
        const auto &first =
            names.front() == "counts.csv" && names.size() == 3 ? names[1] : names[0];
        checks::require_error(Fault::input, (folder / names.back()).string() + ": ",
                              {stated, (folder / first).string() + " ", before},
                              [&] { read(names); });
    }
    CHECK(read({"counts.npz", "counts.csv"}).content == HistogramContent::counts);
    CHECK(read({"either.csv", "counts.npz"}).content == HistogramContent::counts);
    CHECK(read({"either.csv", "l1.csv"}).content == HistogramContent::normalized);
    CHECK(read({"either.csv", "l1.csv"}).file == (folder / "l1.csv").string());
    CHECK(read({"l1.npz", "either.csv"}).file == (folder / "l1.npz").string());
    CHECK(read({"either.csv", "either.csv"}).content == HistogramContent::either);
    // the entry meta of other programs
    const auto text = npy_header("<U2", {}) + checks::bytes(U'[', U']');
    for (const std::string &meta : {text, npy_header("<U0", {}), npy_header("|S5", {}) + "bytes",
                                    npy_header("<i8", {}) + checks::bytes(std::int64_t{7})}) {
        checks::write_bytes(
            folder / "mine.npz",
            zip({{"histograms.npy", npy_header("<f4", {1, 2}) + checks::bytes_of_all({3, 1})},
                 {"images.npy", npy_header("<U1", {1}) + checks::bytes(U'a')},
                 {"meta.npy", meta}}));
        CHECK(read({"mine.npz", "counts.npz"}).images.size() == 2);
    }
}

TEST_CASE("files: random damage to histograms is refused or harmless") {
    const TemporaryFolder folder;
    for (const char *name : {"h.csv", "h.npy", "h.npz", "h.jsonl"}) {
        const auto path = folder / name;
        histograms::write(path, {2, Normalization::l1, "f", "akaze"}, histograms::rows(3, 2));
        checks::require_harmless_damage(
            Fault::input, path, checks::read_bytes(path), [](const auto &file) {
                const HistogramTable table = read_histograms(file);
                REQUIRE(table.values.size() == table.images.size() * table.words);
            });
    }
}

TEST_CASE("files: a changed byte in an .npz is noticed") {
    const TemporaryFolder folder;
    histograms::write(folder / "h.npz", {64, Normalization::none, "f", "akaze"},
                      histograms::rows(5, 64));
    std::string bytes = checks::read_bytes(folder / "h.npz");
    bytes[400] = static_cast<char>(bytes[400] ^ 1);
    checks::write_bytes(folder / "h.npz", bytes);
    refuse(folder / "h.npz", {"entry histograms.npy", "is damaged"});
}
