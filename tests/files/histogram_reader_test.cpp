#include <bowhist/tables/formats/npy.hpp>
#include <bowhist/tables/histograms/histogram_reader.hpp>
#include <bowhist/tables/histograms/row_writer.hpp>

#include "tests/files/checks.hpp"
#include "tests/files/histograms.hpp"
#include "tests/files/zip.hpp"
#include "tests/support/temporary_folder.hpp"

#include <sys/stat.h>

using namespace bowhist;

namespace {

std::vector<float> expected_values(const std::vector<Histogram> &rows, Normalization how) {
    std::vector<float> values;
    for (const auto &row : rows) {
        const auto features = normalize(row.counts, how);
        values.insert(values.end(), features.begin(), features.end());
    }
    return values;
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
    no("h.npz", checks::zip({{"histograms.npy", npy_header("<f4", {0, 0})},
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
        checks::write_bytes(
            folder / "h.npz",
            checks::zip({{"histograms.npy", table},
                         {"images.npy", npy_header("<U1", {2}) + checks::bytes(U'a', U'b')}}));
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
            checks::zip(
                {{"histograms.npy", npy_header("<f4", {1, 2}) + checks::bytes_of_all({3, 1})},
                 {"images.npy", npy_header("<U1", {1}) + checks::bytes(U'a')},
                 {"meta.npy", meta}}));
        CHECK(read({"mine.npz", "counts.npz"}).images.size() == 2);
    }
}

TEST_CASE("files: rows that were made in different ways are refused, and both files named") {
    const TemporaryFolder folder;
    struct Made {
        const char *name;
        RowFileInfo info;
    };
    const auto info = [](std::string encoding, std::string steps, std::string normalization) {
        return RowFileInfo{.size = 2,
                           .encoding = std::move(encoding),
                           .fingerprint = "one",
                           .extractor = "dense",
                           .preparation = std::move(steps),
                           .normalization = std::move(normalization)};
    };
    for (const auto &[name, how] :
         {Made{"a.npz", info("soft 3", "root", "l1")}, Made{"b.npz", info("soft 5", "root", "l1")},
          Made{"c.npz", info("soft 3 2x1", "root", "l1")},
          Made{"d.npz", info("soft 3", "root,mirror", "l1")},
          Made{"e.npz", info("soft 3", "root", "l2")},
          Made{"f.npz", info("soft 3", "root", "l1")}}) {
        const auto writer = write_row_npz(folder / name, how);
        const std::vector<float> row = {0.25F, 0.75F};
        writer->write({.image = "x.jpg", .descriptors = 4, .row = row});
        writer->finish();
    }
    const auto refused = [&](const char *name, const std::string &stated,
                             const std::string &before) {
        const std::vector<std::filesystem::path> paths = {folder / "a.npz", folder / name};
        checks::require_error(Fault::input, (folder / name).string() + ": ",
                              {stated, (folder / "a.npz").string() + " ", before},
                              [&] { read_histograms(paths); });
    };
    refused("b.npz", "--encode soft 5", "--encode soft 3; make both");
    refused("c.npz", "--encode soft 3 2x1", "--cells");
    refused("d.npz", "--prepare root,mirror", "--prepare root;");
    refused("e.npz", "--normalize l2", "--normalize l1; make both");
    const std::vector<std::filesystem::path> same = {folder / "a.npz", folder / "f.npz"};
    CHECK(read_histograms(same).images.size() == 2);
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
