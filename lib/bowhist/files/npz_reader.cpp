// Reads both .npy and .npz; the formats are told in npy_writer.cpp and npz_writer.cpp.

#include <bowhist/files/histogram_formats.hpp>
#include <bowhist/files/npy.hpp>
#include <bowhist/files/surrogate_escape.hpp>
#include <bowhist/files/zip_archive.hpp>

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace bowhist {

namespace {

/// Rows of uint32 or float32; returns how many there are.
std::uint64_t read_rows(ByteSource &source, HistogramTable &table) {
    constexpr std::uint64_t most = std::numeric_limits<std::int32_t>::max();
    const NpyHeader header = read_npy_header(source);
    const bool integers = header.type == "<u4";
    if ((!integers && header.type != "<f4") || header.shape.size() != 2)
        source.fail("expected a table of uint32 ('<u4') or float32 ('<f4'), found " +
                    description(header));
    const std::uint64_t count = npy_value_count(source, header, sizeof(float));
    const std::uint64_t rows = header.shape[0];
    if (header.shape[1] > most || (header.shape[1] == 0 && rows > 0))
        source.fail(fmt::format("expected 1 to {} words, found {}", most, header.shape[1]));
    table.words = header.shape[1];
    if (integers) {
        const auto counts = read_values<std::uint32_t>(source, count);
        table.values.assign(counts.begin(), counts.end());
    } else {
        table.values = read_values<float>(source, count);
    }
    for (std::uint64_t i = 0; i < count; ++i) {
        if (!std::isfinite(table.values[i]))
            source.fail(fmt::format("row {} holds NaN or infinity; expected finite numbers (rows "
                                    "count from 0)",
                                    i / table.words));
    }
    return rows;
}

/// The number in "<U7"; any other type is refused.
std::uint64_t letters_of(const ByteSource &source, const NpyHeader &header) {
    const std::string_view type = header.type;
    std::uint64_t letters = 0;
    const char *end = type.data() + type.size();
    if (type.starts_with("<U")) {
        const auto parsed = std::from_chars(type.data() + 2, end, letters);
        if (parsed.ec != std::errc{} || parsed.ptr != end) letters = 0;
    }
    constexpr std::uint64_t most = std::numeric_limits<std::int32_t>::max();
    if (letters == 0 || letters > most || header.shape.size() != 1)
        source.fail("expected a row of text ('<U' and its width), found " + description(header));
    return letters;
}

std::vector<std::string> read_names(ByteSource &source, std::uint64_t rows) {
    const NpyHeader header = read_npy_header(source);
    const std::uint64_t letters = letters_of(source, header);
    npy_value_count(source, header, letters * sizeof(char32_t));
    if (header.shape[0] != rows)
        source.fail(fmt::format("expected {} names, one for each histogram, found {}", rows,
                                header.shape[0]));
    std::vector<std::string> names;
    std::u32string name;
    for (std::uint64_t row = 0; row < rows; ++row) {
        name.resize(letters);
        source.read(std::as_writable_bytes(std::span(name)));
        name.resize(name.find_last_not_of(U'\0') + 1);
        names.push_back(encode_path(name));
    }
    return names;
}

} // namespace

HistogramTable read_npy(InputFile &file) {
    HistogramTable table;
    const std::uint64_t rows = read_rows(file, table);
    for (std::uint64_t row = 0; row < rows; ++row) table.images.push_back(std::to_string(row));
    table.named = false;
    return table;
}

HistogramTable read_npz(InputFile &file) {
    const ZipArchive archive = read_zip(file);
    HistogramTable table;
    ZipEntry histograms(*archive, file.name(), "histograms.npy");
    const std::uint64_t rows = read_rows(histograms, table);
    histograms.require_end();
    ZipEntry images(*archive, file.name(), "images.npy");
    table.images = read_names(images, rows);
    images.require_end();
    return table;
}

} // namespace bowhist
