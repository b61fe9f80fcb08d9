#pragma once

#include <bowhist/tables/histograms/histogram_writer.hpp>

#include <filesystem>
#include <random>
#include <vector>

/// Histograms to write, with every kind of name.
namespace histograms {

inline std::vector<std::string> awkward_names() {
    std::string all_bytes;
    for (int byte = 1; byte < 256; ++byte)
        if (byte != '/') all_bytes += static_cast<char>(byte);
    return {all_bytes,
            "a.jpg",
            "-x.jpg",
            "[2023].jpg",
            "with, comma.jpg",
            "with \"quotes\".jpg",
            "\"",
            "two\nlines.jpg",
            "two\r\nlines\r.jpg",
            " spaces ",
            "100%25.jpg",
            "# 1:2",
            "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80.jpg",
            "\xff\xfe\x80.jpg",
            "\xc3",
            "\xed\xb2\x80",
            "\\udc80",
            std::string(300, 'n')};
}

/// `count` rows of `words` words: some without descriptors, some with the largest count.
inline std::vector<bowhist::Histogram> rows(std::size_t count, std::size_t words) {
    std::mt19937 random(7);
    const auto names = awkward_names();
    std::vector<bowhist::Histogram> all(count);
    for (std::size_t i = 0; i < count; ++i) {
        all[i].image = i < names.size() ? names[i] : std::to_string(i) + ".jpg";
        all[i].counts.resize(words);
        if (i % 5 == 3) continue;
        for (auto &word : all[i].counts) word = random() % 3 == 0 ? random() % 1000 : 0;
        if (i % 7 == 1) all[i].counts = std::vector<std::uint32_t>(words, 0);
        if (i % 7 == 1) all[i].counts[random() % words] = 4294967295U;
        for (const auto word : all[i].counts) all[i].descriptors += word;
    }
    return all;
}

inline void write(const std::filesystem::path &path, const bowhist::HistogramFileInfo &info,
                  const std::vector<bowhist::Histogram> &all) {
    const auto writer = bowhist::open_histograms(path, info);
    for (const auto &row : all) writer->write(row);
    writer->finish();
}

} // namespace histograms
