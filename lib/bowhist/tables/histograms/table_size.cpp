#include <bowhist/core/error.hpp>
#include <bowhist/tables/formats/npy.hpp>
#include <bowhist/tables/formats/npz.hpp>
#include <bowhist/tables/histograms/histogram_formats.hpp>

#include <algorithm>

namespace bowhist {

namespace {

/// The size that a header promises, bounded by the bytes that follow it.
TableSize size_by(const NpyHeader &header, std::uint64_t bytes) {
    if (header.shape.size() != 2 || header.shape[1] == 0) return {};
    const std::uint64_t most = bytes / sizeof(float);
    const std::uint64_t rows = std::min(header.shape[0], most / header.shape[1]);
    const std::uint64_t values = rows * header.shape[1];
    return {rows, values, values * sizeof(float)};
}

bool is_of_number(char letter) {
    return (letter >= '0' && letter <= '9') || letter == '.' || letter == '+' || letter == '-';
}

} // namespace

TableSize size_of_text(InputFile &file) {
    constexpr std::size_t sample = 1 << 18;
    const std::string begin = file.peek(sample);
    if (begin.empty()) return {};
    std::uint64_t numbers = 0;
    std::uint64_t lines = 1;
    for (std::size_t i = 0; i < begin.size(); ++i) {
        if (begin[i] == '\n') ++lines;
        if (is_of_number(begin[i]) && (i == 0 || !is_of_number(begin[i - 1]))) ++numbers;
    }
    const double times = static_cast<double>(file.size()) / static_cast<double>(begin.size());
    const auto all = [&](std::uint64_t some) {
        return static_cast<std::uint64_t>(times * static_cast<double>(some));
    };
    // a vector that grows holds its values and a copy with as much room again
    return {all(lines), all(numbers), 3 * all(numbers) * sizeof(float)};
}

TableSize size_of_npy(InputFile &file) {
    TableSize size;
    try {
        size = size_by(read_npy_header(file), file.remaining());
    } catch (const Error &) { // reading the table reports it
    }
    file.seek(0);
    return size;
}

TableSize size_of_npz(InputFile &file) {
    try {
        const ZipArchive archive = read_zip(file);
        ZipEntry histograms(*archive, file, "histograms.npy");
        const NpyHeader header = read_npy_header(histograms);
        return size_by(header, histograms.remaining());
    } catch (const Error &) {
        return {};
    }
}

} // namespace bowhist
