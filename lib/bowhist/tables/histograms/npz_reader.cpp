// Reads both .npy and .npz; npz_writer.cpp and npz_writer.cpp describe the formats.

#include <bowhist/io/surrogate_escape.hpp>
#include <bowhist/tables/formats/name_column.hpp>
#include <bowhist/tables/formats/npy.hpp>
#include <bowhist/tables/formats/npz.hpp>
#include <bowhist/tables/histograms/histogram_formats.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace bowhist {

namespace {

constexpr std::string_view type_of_codes = "|i1";

/// The header of a table of uint32 or float32, or with `codes` of int8, a row for each image.
NpyHeader read_table_header(ByteSource &source, bool codes = false) {
    constexpr std::uint64_t most = std::numeric_limits<std::int32_t>::max();
    NpyHeader header = read_npy_header(source);
    refuse_objects(source, header);
    const bool is_known =
        header.type == "<u4" || header.type == "<f4" || (codes && header.type == type_of_codes);
    if (!is_known || header.shape.size() != 2)
        source.fail("expected a table of uint32 ('<u4') or float32 ('<f4'){}, found {}; in Python, "
                    "save x.astype('<f4')",
                    codes ? ", or of codes ('|i1')" : "", description(header));
    npy_value_count(source, header, header.type == type_of_codes ? 1 : sizeof(float));
    if (header.shape[1] > most || (header.shape[1] == 0 && header.shape[0] > 0))
        source.fail("expected 1 to {} words, found {}", most, header.shape[1]);
    return header;
}

template <typename Number>
std::vector<float> read_whole(ByteSource &source, std::uint64_t count) {
    constexpr std::uint64_t piece = 1 << 16; // bounds what is in memory twice
    auto values = allocate<std::vector<float>>(source, count);
    for (std::uint64_t done = 0; done < count; done += piece)
        std::ranges::copy(read_values<Number>(source, std::min(piece, count - done)),
                          values.begin() + static_cast<std::ptrdiff_t>(done));
    return values;
}

void read_rows(ByteSource &source, const NpyHeader &header, HistogramTable &table) {
    table.words = header.shape[1];
    const std::uint64_t count = header.shape[0] * header.shape[1]; // checked by the header's reader
    if (header.type == type_of_codes)
        table.values = read_whole<std::int8_t>(source, count);
    else if (header.type == "<u4")
        table.values = read_whole<std::uint32_t>(source, count);
    else
        table.values = read_values<float>(source, count);
    for (std::uint64_t i = 0; i < count; ++i) {
        if (!std::isfinite(table.values[i]))
            source.fail("row {} holds NaN or infinity; expected finite numbers (rows count from 0)",
                        i / table.words);
    }
}

/// Archives of other programs may lack this entry, or have another kind of value in it.
void take_meta(const nlohmann::json &meta, HistogramTable &table) {
    const auto text_at = [&](const char *key) {
        const bool there = meta.is_object() && meta.contains(key) && meta[key].is_string();
        return there ? meta[key].get<std::string>() : std::string();
    };
    table.fingerprint = text_at("fingerprint");
    table.normalization = text_at("normalization");
    table.encoding = text_at("encoding");
    table.preparation = text_at("prepare");
}

/// The size that a header promises, bounded by the bytes that follow it.
TableSize size_by(const NpyHeader &header, std::uint64_t bytes) {
    const std::size_t size = header.type == type_of_codes ? 1 : sizeof(float);
    if (header.shape.size() != 2 || header.shape[1] == 0) return {};
    const std::uint64_t most = bytes / size;
    const std::uint64_t rows = std::min(header.shape[0], most / header.shape[1]);
    const std::uint64_t values = rows * header.shape[1];
    return {rows, values, values * sizeof(float)};
}

} // namespace

HistogramTable read_npy(InputFile &file) {
    HistogramTable table;
    const NpyHeader header = read_table_header(file, true);
    read_rows(file, header, table);
    // a code has numbers below 0, a histogram none
    const bool below = std::ranges::any_of(table.values, [](float value) { return value < 0; });
    if (header.type == type_of_codes && below) table.content = HistogramContent::codes;
    for (std::uint64_t row = 0; row < header.shape[0]; ++row)
        table.images.push_back(std::to_string(row));
    table.named = false;
    return table;
}

HistogramTable read_npz(InputFile &file) {
    const NpzFile archive(file);
    if (!archive.has("histograms.npy") && archive.has("descriptors.npy"))
        file.fail("holds a picture's descriptors, not histograms; bowhist --centroids c.bin makes "
                  "one of it");
    HistogramTable table;
    const bool encoded = archive.has("rows.npy");
    ZipEntry histograms = archive.entry(encoded ? "rows.npy" : "histograms.npy");
    ZipEntry images = archive.entry("images.npy");
    // both headers are compared before memory is taken for either table
    const NpyHeader rows = read_table_header(histograms, encoded);
    if (encoded)
        table.content =
            rows.type == type_of_codes ? HistogramContent::codes : HistogramContent::rows;
    const NpyHeader names = read_names_header(images, rows.shape[0]);
    read_rows(histograms, rows, table);
    histograms.require_end();
    table.images = read_names(images, names);
    images.require_end();
    take_meta(archive.meta(), table);
    return table;
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
        const NpzFile archive(file);
        const bool encoded = archive.has("rows.npy");
        ZipEntry rows = archive.entry(encoded ? "rows.npy" : "histograms.npy");
        const NpyHeader header = read_npy_header(rows);
        return size_by(header, rows.remaining());
    } catch (const Error &) {
        return {};
    }
}

} // namespace bowhist
