// Histograms in text, as other programs write or change it.
#include "tests/files/checks.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/tables/histograms/histogram_reader.hpp>

#include <algorithm>

using namespace bowhist;
using namespace std::string_literals;

namespace {

HistogramTable read_one(const std::filesystem::path &path) {
    return read_histograms(path);
}

} // namespace

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
    checks::write_bytes(path, R"({"row":0,"image":"a","histogram":[1,0]})"
                              "\n"
                              R"({"image":"b","histogram":[2,0],"row":"1"})");
    CHECK(read_histograms(path).values == std::vector<float>{1, 0, 2, 0});
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

TEST_CASE("files: codes and rows in text") {
    const TemporaryFolder folder;
    const auto check = [&](const std::string &name, const std::string &text,
                           HistogramContent content, const std::vector<float> &values) {
        INFO(name << ": " << text);
        checks::write_bytes(folder / name, text);
        const HistogramTable table = read_histograms(folder / name);
        CHECK(table.content == content);
        CHECK(table.values == values);
        CHECK(table.images == std::vector<std::string>{"a", "b"});
    };
    using enum HistogramContent;
    const auto lines = [](const std::string &key, const std::string &one,
                          const std::string &other) {
        return R"({"image":"a","descriptors":3,")" + key + "\":[" + one + "]}\n" +
               R"({"image":"b","descriptors":3,")" + key + "\":[" + other + "]}\n";
    };
    const std::string csv = "image,descriptors,v0,v1\n";
    const std::string csv_of_codes = "image,descriptors,c0,c1\n";
    const std::vector<std::tuple<std::string, std::string, std::vector<float>>> tables = {
        {"127,-3", "-127,0", {127, -3, -127, 0}},
        {"127,3", "0,0", {127, 3, 0, 0}}, // of no descriptors
        {"12,-3", "126,0", {12, -3, 126, 0}}};
    for (const auto &[one, other, values] : tables) {
        check("t.csv", csv + "a,3," + one + "\nb,3," + other + "\n", rows, values);
        check("t.jsonl", lines("row", one, other), rows, values);
        check("t.csv", csv_of_codes + "a,3," + one + "\nb,3," + other + "\n", codes, values);
        check("t.jsonl", lines("code", one, other), codes, values);
    }
    check("t.csv", csv + "a,3,0.5,7\nb,3,-300,0\n", rows, {0.5F, 7, -300, 0});
    for (const char *bad : {"0.5,7", "128,0", "-129,127"}) {
        const std::vector<std::string> parts{"row 0", "from -127 to 127"};
        checks::write_bytes(folder / "t.csv", csv_of_codes + "a,3," + bad + "\n");
        checks::require_error(Fault::input, (folder / "t.csv").string(), parts,
                              [&] { read_histograms(folder / "t.csv"); });
        checks::write_bytes(folder / "t.jsonl", lines("code", bad, "1,1"));
        checks::require_error(Fault::input, (folder / "t.jsonl").string(), parts,
                              [&] { read_histograms(folder / "t.jsonl"); });
    }
    checks::write_bytes(folder / "t.csv", csv + "a,3,1,2\nb,3,1,2\n");
    checks::write_bytes(folder / "t.jsonl", lines("code", "127,0", "0,127"));
    const std::vector<std::filesystem::path> both{folder / "t.csv", folder / "t.jsonl"};
    checks::require_error(Fault::input, both[1].string(),
                          {"holds codes", "holds rows of an encoding", "the same --encode"},
                          [&] { read_histograms(both); });
    const checks::Refuse no_csv{Fault::input, folder / "t.csv", read_one};
    no_csv("image,descriptors,v0,w1\na,1,2,3\n", {"c0,c1,... of codes, v0,v1,... of rows"});
    no_csv("image,descriptors,w0,v1\na,1,2,3\n", {"c0,c1,... of codes, v0,v1,... of rows"});
    no_csv(csv + "a,1,2\n", {"line 2", "expected 4 fields"});
    const checks::Refuse no_jsonl{Fault::input, folder / "t.jsonl", read_one};
    no_csv("image,descriptors,c0,v1\na,1,2,3\n", {"c0,c1,... of codes"});
    no_csv("image,descriptors,x0,x1\na,1,2,3\n", {"c0,c1,... of codes"});
    const std::string row = R"({"image":"a","row":[127,0]})";
    const std::string code = R"({"image":"a","code":[127,0]})";
    const std::string histogram = R"({"image":"a","histogram":[127,0]})";
    no_jsonl(row + "\n" + histogram, {"line 2", "\"row\": [numbers]"});
    no_jsonl(histogram + "\n" + row, {"line 2", "\"histogram\": [numbers]"});
    no_jsonl(code + "\n" + row, {"line 2", "\"code\": [numbers]"});
    no_jsonl(R"({"image":"a","row":[1],"histogram":[1]})", {"line 1"});
    for (const char *value : {"[[1]]", "[null]", "[true]", "[\"1\"]", "[{}]", "{}", "1", "null"})
        no_jsonl(std::string(R"({"image":"a","row":)") + value + "}", {"line 1"});
    // 70 000 numbers of 127 have products beyond 32 bits
    std::string long_row = "127";
    for (int i = 1; i < 70'000; ++i) long_row += ",127";
    no_jsonl(R"({"image":"a","code":[)" + long_row + "]}", {"row 0", "norm is above 32000"});
}
