#include <bowhist/library/points.hpp>

#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/core/root_in_eighths.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/io/surrogate_escape.hpp>
#include <bowhist/library/file/content_hash.hpp>
#include <bowhist/library/segments/segment_builder.hpp>
#include <bowhist/tables/histograms/histogram_formats.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bowhist {
namespace {

/// An image's words as a sparse vector of unit length.
struct SparseWords {
    std::vector<std::uint32_t> words; ///< rising
    std::vector<float> values;
};

SparseWords sparse_words(const std::vector<std::uint32_t> &words) {
    const DefaultFloats floats;
    SparseWords row;
    std::vector<std::uint64_t> roots;
    std::uint64_t squares = 0;
    for_each_count(words, [&](std::uint32_t word, std::uint32_t count) {
        row.words.push_back(word);
        roots.push_back(root_in_eighths(count));
        squares += squared_value(count);
    });
    const double length = std::sqrt(static_cast<double>(squares));
    for (const std::uint64_t root : roots)
        row.values.push_back(static_cast<float>(static_cast<double>(root) / length));
    return row;
}

/// A path as JSON that strict readers take: bytes that are no UTF-8 become U+FFFD.
std::string name_of(const std::string &path) {
    std::u32string text = decode_path(path);
    std::ranges::replace_if(
        text, [](char32_t c) { return c >= 0xDC80 && c <= 0xDCFF; }, U'\uFFFD');
    return json_string(encode_path(text));
}

template <typename Number>
void append_list(std::string &line, const std::vector<Number> &numbers) {
    line += '[';
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (i > 0) line += ',';
        append_number(line, numbers[i]);
    }
    line += ']';
}

/// A row's vectors. One of an image without descriptors is empty.
struct Vectors {
    std::vector<int> code;
    SparseWords words;

    bool has_code() const {
        return std::ranges::any_of(code, [](int value) { return value != 0; });
    }
    bool has_words() const { return !words.words.empty(); }
};

std::string qdrant_line(const LibraryImage &image, const Vectors &vectors) {
    std::string line = fmt::format(R"({{"id":"{}","vector":{{)", point_id(image.path));
    if (vectors.has_code()) {
        line += R"("code":)";
        append_list(line, vectors.code);
    }
    if (vectors.has_words()) {
        line += vectors.has_code() ? R"(,"words":{"indices":)" : R"("words":{"indices":)";
        append_list(line, vectors.words.words);
        line += R"(,"values":)";
        append_list(line, vectors.words.values);
        line += '}';
    }
    return line += fmt::format(R"(}},"payload":{{"image":{}}}}})", name_of(image.path)) + '\n';
}

std::string milvus_line(const LibraryImage &image, const Vectors &vectors) {
    std::string line =
        fmt::format(R"({{"id":"{}","image":{})", point_id(image.path), name_of(image.path));
    if (vectors.has_code()) {
        line += R"(,"code":)";
        append_list(line, vectors.code);
    }
    if (vectors.has_words()) {
        line += R"(,"words":)";
        for (std::size_t i = 0; i < vectors.words.words.size(); ++i) {
            line += fmt::format(R"({}"{}":)", i == 0 ? '{' : ',', vectors.words.words[i]);
            append_number(line, vectors.words.values[i]);
        }
        line += '}';
    }
    return line + "}\n";
}

} // namespace

std::optional<PointsFormat> points_format(const std::filesystem::path &path) {
    if (ending_of(path) != ".jsonl") return std::nullopt;
    const std::string inner = ending_of(path.stem());
    if (inner == ".qdrant") return PointsFormat::qdrant;
    if (inner == ".milvus") return PointsFormat::milvus;
    return std::nullopt;
}

std::string point_id(const std::string &path) {
    std::string hash = content_hash(path);
    hash[6] = static_cast<char>((hash[6] & 0x0F) | 0x80); // version 8
    hash[8] = static_cast<char>((hash[8] & 0x3F) | 0x80); // the variant of RFC 9562
    std::string id;
    for (std::size_t i = 0; i < hash.size(); ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10) id += '-';
        id += fmt::format("{:02x}", static_cast<unsigned char>(hash[i]));
    }
    return id;
}

std::size_t export_points(const Library &library, const ExportRequest &request, PointsFormat format,
                          Observer &observer) {
    const auto models = library.models();
    const bool words = request.what != ExportWhat::code && models.contains("words");
    const bool code = request.what != ExportWhat::words && models.contains("code");
    AtomicFile file(request.output);
    std::size_t rows = 0;
    std::size_t without = 0;
    library.for_each_image(
        [&](const LibraryImage &image) {
            observer.stop_if_interrupted();
            Vectors vectors;
            if (words) vectors.words = sparse_words(library.words(image).words);
            if (code) {
                const auto values = library.code(image).values;
                vectors.code.assign(values.begin(), values.end());
            }
            const bool is_whole = (!words || vectors.has_words()) && (!code || vectors.has_code());
            if (format == PointsFormat::milvus && !is_whole) {
                ++without;
                return;
            }
            file.write(format == PointsFormat::qdrant ? qdrant_line(image, vectors)
                                                      : milvus_line(image, vectors));
            ++rows;
        },
        request.glob);
    file.commit();
    if (without > 0)
        observer.warning(fmt::format("{} {} no descriptors of a kind, and no row: Milvus takes no "
                                     "empty vectors; --what writes one kind alone",
                                     counted(without, "picture"), without == 1 ? "has" : "have"));
    return rows;
}

} // namespace bowhist
