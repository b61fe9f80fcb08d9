// Writes one file of each format into a folder, for read_back.py, and what they should hold: in
// expected.txt a line for each image, its name as hexadecimal digits and then its counts.
//
//     write_all_formats FOLDER        write everything
//     write_all_formats --print       the same histograms as CSV on standard output
//     write_all_formats --read FILE   any file of histograms, in the form of expected.txt

#include <bowhist/core/error.hpp>
#include <bowhist/tables/descriptors/descriptor_file.hpp>
#include <bowhist/tables/formats/sidecar.hpp>
#include <bowhist/tables/histograms/histogram_reader.hpp>
#include <bowhist/tables/histograms/histogram_writer.hpp>
#include <bowhist/tables/histograms/words_file.hpp>
#include <bowhist/tables/vocabulary/vocabulary_pair.hpp>

#include "tests/files/histograms.hpp"
#include "tests/files/sidecars.hpp"

#include <cstdio>
#include <fstream>
#include <iostream>

using namespace bowhist;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t words = 65;

const char *extractor() {
    return "akaze \"upright\", \xff";
}

void write_name(std::ostream &out, const std::string &name) {
    for (const unsigned char byte : name) {
        char digits[3];
        std::snprintf(digits, sizeof(digits), "%02x", byte);
        out << digits;
    }
}

void write_expected(const fs::path &path, const std::vector<Histogram> &rows) {
    std::ofstream file(path);
    for (const auto &row : rows) {
        write_name(file, row.image);
        for (const auto count : row.counts) file << ' ' << count;
        file << '\n';
    }
}

void print_table(const HistogramTable &table) {
    std::cout.precision(9); // a float reads back
    for (std::size_t row = 0; row < table.images.size(); ++row) {
        write_name(std::cout, table.images[row]);
        for (std::size_t word = 0; word < table.words; ++word)
            std::cout << ' ' << table.values[row * table.words + word];
        std::cout << '\n';
    }
}

void write_histograms(const fs::path &folder, const std::vector<Histogram> &rows) {
    for (const auto how :
         {Normalization::none, Normalization::l1, Normalization::l2, Normalization::hellinger}) {
        const HistogramFileInfo info{words, how, "0123abcd", extractor()};
        for (const char *ending : {".csv", ".npy", ".npz", ".jsonl", ".svm"}) {
            const std::string name{name_of(how)};
            histograms::write(folder / (name + ending), info, rows);
            histograms::write(folder / (name + "-empty" + ending), info, {});
        }
    }
}

void write_others(const fs::path &folder) {
    std::vector<float> values(1000 * 3);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) / 7;
    for (const char *ending : {".npy", ".fvecs", ".fbin"}) {
        write_descriptors(folder / (std::string("x") + ending), {3, values});
        write_descriptors(folder / (std::string("x-empty") + ending), {3, {}});
    }
    WordsFile file(folder / "words.npy");
    for (std::int32_t word = 0; word < 1000; ++word) file.write(std::array{word * 7919});
    file.finish();
    const Recipe record{.extractor = "akaze",
                        .upright = true,
                        .threshold = 0.1,
                        .max_descriptors = 500,
                        .max_side = 1024};
    write_vocabulary_pair(folder / "c.bin", {3, values},
                          {record, 5, 25, 1.0 / 3, 99, "f", "0.1.0", 990});
    checks::write_sidecar(folder / "x.npy", DescriptorSidecar{"a\n\"\xff\xc3\xa4.jpg", record});
}

} // namespace

int main(int argument_count, char **arguments) {
    const std::vector<std::string> given(arguments + 1, arguments + argument_count);
    if (given.empty()) return 2;
    const std::string folder = given[0];
    const auto rows = histograms::rows(100, words);
    try {
        if (folder == "--read") {
            print_table(read_histograms(given.at(1)));
            return 0;
        }
        if (folder == "--print") {
            histograms::write("", {words, Normalization::none, "0123abcd", extractor()}, rows);
            return 0;
        }
        write_expected(folder + "/expected.txt", rows);
        write_histograms(folder, rows);
        write_others(folder);
    } catch (const Error &error) {
        std::cerr << error.what() << '\n';
        return 3;
    }
    return 0;
}
