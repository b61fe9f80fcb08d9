#include <bowhist/io/foreign_file.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/io/foreign_kinds.hpp>
#include <bowhist/io/zip_archive.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <initializer_list>
#include <vector>

namespace bowhist {

// Rows of numbers in files without a signature, all little-endian:
//
//     .fvecs .ivecs .hvecs .bvecs   each row: int32 D, then D numbers of 4, 4, 2 or 1 bytes
//     .fbin .ibin .f16bin .u8bin .i8bin   uint32 rows, uint32 D, then rows·D numbers
//
// They are recognized by sizes that fit: D is the same in front of each row, or the header promises
// the file's size.
namespace {

struct Number {
    std::uint64_t bytes;
    std::string_view name;  ///< in messages
    std::string_view numpy; ///< its type
    std::string_view in_vecs;
    std::string_view in_bin;
};

constexpr Number floats{4, "floats", "<f4", ".fvecs", ".fbin"};
constexpr Number integers{4, "whole numbers", "<i4", ".ivecs", ".ibin"};
constexpr Number halves{2, "half floats", "<f2", ".hvecs", ".f16bin"};
constexpr Number bytes_from_0{1, "bytes", "u1", ".bvecs", ".u8bin"};
constexpr Number bytes_with_sign{1, "bytes", "i1", ".bvecs", ".i8bin"};
constexpr std::array numbers{floats, integers, halves, bytes_from_0, bytes_with_sign};

constexpr std::uint64_t most_dimensions = 1 << 16; // text and other data promise more

template <typename Value>
Value value_at(std::string_view bytes, std::uint64_t at) {
    Value value{};
    if (at + sizeof(value) <= bytes.size()) std::memcpy(&value, bytes.data() + at, sizeof(value));
    return value;
}

/// Bytes or integers that are read as floats are hardly ever of a usual size.
bool could_be_floats(std::string_view values) {
    constexpr float smallest = 1e-20F;
    constexpr float largest = 1e20F;
    std::size_t usual = 0;
    const std::size_t count = values.size() / sizeof(float);
    for (std::size_t i = 0; i < count; ++i) {
        const float value = std::abs(value_at<float>(values, i * sizeof(float)));
        if (value == 0 || (value > smallest && value < largest)) ++usual;
    }
    return usual * 10 >= count * 9;
}

/// Whether each row in the head begins with D, and the file ends behind one.
bool are_vecs(const InputFile &file, std::string_view head, std::uint64_t number_bytes) {
    constexpr std::uint64_t most_rows = 1000;
    const auto dimensions = value_at<std::uint32_t>(head, 0);
    if (dimensions == 0 || dimensions > most_dimensions) return false;
    const std::uint64_t row = sizeof(dimensions) + dimensions * number_bytes;
    if (file.size() % row != 0) return false;
    for (std::uint64_t i = 1; i < most_rows && i * row + sizeof(dimensions) <= head.size(); ++i)
        if (value_at<std::uint32_t>(head, i * row) != dimensions) return false;
    return file.size() > row || dimensions >= 8; // a single short row may be chance
}

/// The type of the numbers, by the name's ending; without one, the first type of that size.
const Number *number_in_vecs(const InputFile &file, std::string_view head,
                             std::string_view ending) {
    const auto named = std::ranges::find(numbers, ending, &Number::in_vecs);
    if (named != numbers.end() && are_vecs(file, head, named->bytes)) return &*named;
    for (const Number &number : numbers)
        if (are_vecs(file, head, number.bytes)) return &number;
    return nullptr;
}

const Number *number_in_bin(const InputFile &file, std::string_view head, std::string_view ending) {
    constexpr std::uint64_t header = 8;
    const std::uint64_t rows = value_at<std::uint32_t>(head, 0);
    const std::uint64_t dimensions = value_at<std::uint32_t>(head, 4);
    if (rows == 0 || dimensions == 0 || dimensions > most_dimensions || file.size() <= header)
        return nullptr;
    const std::uint64_t held = file.size() - header;
    const auto named = std::ranges::find(numbers, ending, &Number::in_bin);
    if (named != numbers.end() && named->bytes != floats.bytes) return &*named; // cut, maybe
    const auto fits = [&](const Number &number) {
        return held == rows * dimensions * number.bytes;
    };
    if (fits(floats)) return named != numbers.end() ? &*named : &numbers[0];
    // a part of more floats may be as long as all of the bytes
    if (fits(bytes_from_0) && !could_be_floats(head.substr(header))) return &numbers[3];
    return nullptr;
}

/// @param layout  ".bvecs"
ForeignFile rows_of(const Number &number, std::uint64_t dimensions, std::string_view layout,
                    std::string_view values) {
    const auto what = fmt::format("rows of {} {} as in {}", dimensions, number.name, layout);
    if (number.name == floats.name)
        return {layout == floats.in_bin ? what + " or a c.bin" : what,
                fmt::format("as descriptors they are INPUT, under a name that ends in {}; as a "
                            "vocabulary they are given by --centroids",
                            layout)};
    return {what, fmt::format("convert them to floats, .npy or .fvecs: numpy.save('x.npy', "
                              "{}.astype('<f4'))",
                              values)};
}

} // namespace

std::optional<ForeignFile> rows_kind(const InputFile &file, std::string_view head,
                                     std::string_view ending, bool floats_too) {
    const auto first = value_at<std::uint32_t>(head, 0);
    const auto second = value_at<std::uint32_t>(head, 4);
    const Number *in_vecs = number_in_vecs(file, head, ending);
    const Number *number = in_vecs != nullptr ? in_vecs : number_in_bin(file, head, ending);
    if (number == nullptr || (number->name == floats.name && !floats_too)) return std::nullopt;
    if (in_vecs == nullptr)
        return rows_of(*number, second, number->in_bin,
                       fmt::format("numpy.fromfile(f, '{}', offset=8).reshape(-1, {})",
                                   number->numpy, second));
    const auto behind = sizeof(first) / number->bytes; // numbers, in the place of D
    return rows_of(*number, first, number->in_vecs,
                   fmt::format("numpy.fromfile(f, '{}').reshape(-1, {})[:, {}:]", number->numpy,
                               first + behind, behind));
}

namespace {

/// The names of the first entries: enough to know a kind by.
std::vector<std::string> names_in(zip_t &archive) {
    constexpr zip_int64_t most = 1000;
    std::vector<std::string> names;
    for (zip_int64_t i = 0; i < std::min(most, zip_get_num_entries(&archive, 0)); ++i)
        if (const char *name = zip_get_name(&archive, static_cast<zip_uint64_t>(i), ZIP_FL_ENC_RAW))
            names.emplace_back(name);
    return names;
}

/// Their keys are parts of an entry's name.
constexpr Kind contents[] = {
    {{"xl/workbook."}, "an Excel file (.xlsx)", "save its sheet as CSV (.csv)"},
    {{"word/document."}, "a Word file (.docx)", "save the pictures in it"},
    {{"ppt/presentation."}, "a PowerPoint file (.pptx)", "save the pictures in it"},
    {{"data.pkl"},
     "a file of PyTorch (.pt)",
     "load it there, and save its array: numpy.save('x.npy', x.float().numpy())"},
    {{"maindoc.xml"}, "a file of Krita", "convert it to PNG or JPEG"},
    {{"mergedimage.png"}, "an OpenRaster file", "convert it to PNG or JPEG"},
    {{"content.xml"}, "an OpenDocument file (.ods, .odt)", "save its sheet as CSV (.csv)"},
};

bool is_image(const std::string &name) {
    constexpr std::array<std::string_view, 12> endings = {".jpg",  ".jpeg", ".png",  ".webp",
                                                          ".tif",  ".tiff", ".bmp",  ".gif",
                                                          ".heic", ".heif", ".avif", ".jp2"};
    return std::ranges::find(endings, ending_of(name)) != endings.end();
}

ForeignFile plain_archive(const std::vector<std::string> &names) {
    const auto images = std::ranges::count_if(names, is_image);
    if (images > 0)
        return {fmt::format("a zip archive of pictures ({} of {} entries)", images, names.size()),
                "unpack it (unzip), and give the folder"};
    return {"a zip archive", "unpack it first (unzip)"};
}

} // namespace

std::optional<ForeignFile> zip_kind(const InputFile &file, std::string_view ending) {
    std::vector<std::string> names;
    try {
        const ZipArchive archive = read_zip(file);
        names = names_in(*archive);
    } catch (const Error &) {
        if (ending == ".npz") return std::nullopt; // its reader has reported it
        return ForeignFile{"a zip archive that is cut off or damaged", "get the file again"};
    }
    const auto holds = [&](std::string_view part, std::size_t) {
        return std::ranges::any_of(
            names, [&](const std::string &name) { return name.find(part) != std::string::npos; });
    };
    if (auto kind = find_kind(contents, holds)) return kind;
    const auto arrays = std::ranges::count_if(
        names, [](const std::string &name) { return ending_of(name) == ".npy"; });
    if (arrays == 0) return plain_archive(names);
    if (ending == ".npz") return std::nullopt; // its reader names the entries
    return ForeignFile{"an archive of NumPy", "give it a name that ends in .npz"};
}

namespace {

constexpr std::string_view to_floats = "convert it to .fvecs or .npy of float32";
constexpr std::string_view save_array = "save its array as .npy of float32";
constexpr std::string_view convert = "convert it to PNG or JPEG";

/// Kinds that only the ending of the name shows.
constexpr Kind by_ending[] = {
    {{".bvecs"}, "a file of rows of bytes by its name (.bvecs), cut off or damaged", to_floats},
    {{".ivecs"}, "a file of rows of whole numbers by its name (.ivecs)", to_floats},
    {{".hvecs"}, "a file of rows of half floats by its name (.hvecs)", to_floats},
    {{".u8bin"}, "a file of rows of bytes by its name (.u8bin)", to_floats},
    {{".i8bin"}, "a file of rows of bytes by its name (.i8bin)", to_floats},
    {{".ibin"}, "a file of rows of whole numbers by its name (.ibin)", to_floats},
    {{".f16bin"}, "a file of rows of half floats by its name (.f16bin)", to_floats},
    {{".mat"},
     "a file of MATLAB by its name (.mat)",
     "save its matrix as float32: numpy.save('x.npy', "
     "scipy.io.loadmat(f)['x'].astype('<f4'))"},
    {{".h5", ".hdf5"}, "an HDF5 file by its name", save_array},
    {{".pkl", ".pickle"}, "a pickle of Python by its name", save_array},
    {{".pt"}, "a file of PyTorch by its name", save_array},
    {{".safetensors"}, "a file of safetensors by its name", save_array},
    {{".tfrecord"}, "a file of TensorFlow by its name", save_array},
    {{".onnx"}, "an ONNX model by its name", "give another file"},
    {{".tga"}, "a Targa picture by its name", convert},
    {{".pcx"}, "a PCX picture by its name", convert},
    {{".wbmp"}, "a WBMP picture by its name", convert},
    {{".icloud"}, "a file that is only in iCloud", "download it first"},
};

/// Files that bowhist itself writes, where images are expected.
constexpr Kind results[] = {
    {{".csv"},
     "a table (.csv)",
     "tables of histograms are for bowhist cluster; save descriptors as .npy"},
    {{".tsv"},
     "a table (.tsv)",
     "tables of histograms are for bowhist cluster; save descriptors as .npy"},
    {{".jsonl"}, "a table (.jsonl)", "tables of histograms are for bowhist cluster"},
    {{".svm"}, "a table (.svm)", "give the pictures that it was made of"},
    {{".bin"}, "a vocabulary by its name (.bin)", "a vocabulary is given by --centroids"},
};

std::string read_head(const InputFile &file) {
    constexpr std::uint64_t most = 1 << 16;
    std::string head(std::min(file.size(), most), '\0');
    file.read_at(0, std::as_writable_bytes(std::span(head)));
    return head;
}

/// Whether all bytes are zero, or all are 255, as in erased flash memory.
bool is_blank(std::string_view bytes) {
    const bool may_be = bytes.front() == '\0' || bytes.front() == '\xFF';
    return may_be && bytes.find_first_not_of(bytes.front()) == std::string_view::npos;
}

/// A file of one byte again and again, as an interrupted copy, or a damaged disk or card, leaves
/// it.
std::optional<ForeignFile> blank(const InputFile &file, char byte) {
    constexpr std::uint64_t most = 64 << 20;
    const std::uint64_t end = std::min(file.size(), most);
    std::string piece;
    for (std::uint64_t at = 0; at < end; at += piece.size()) {
        piece.resize(std::min<std::uint64_t>(end - at, 1 << 20));
        file.read_at(at, std::as_writable_bytes(std::span(piece)));
        if (piece.front() != byte || !is_blank(piece)) return std::nullopt;
    }
    const char *value = byte == '\0' ? "zero" : "255";
    return ForeignFile{end == file.size() ? fmt::format("{} bytes, all of them {}", end, value)
                                          : fmt::format("{} bytes, the first {} of them {}",
                                                        file.size(), end, value),
                       "an interrupted copy or a damaged disk: get the file again"};
}

bool is_one_of(std::string_view ending, std::initializer_list<std::string_view> endings) {
    return std::ranges::find(endings, ending) != endings.end();
}

TextReader text_reader(const InputFile &file, Expected expected, std::string_view ending) {
    if (expected == Expected::vocabulary && is_one_of(ending, {".yml", ".yaml", ".xml"}))
        return TextReader::markup;
    const bool reads_lines = expected == Expected::histograms && file.name() == "standard input";
    return reads_lines || ending == ".jsonl" ? TextReader::json_lines : TextReader::none;
}

/// Whether rows of float32 have a reader of their own, which has reported what is wrong with them.
bool reads_float_rows(Expected expected, std::string_view ending) {
    return (expected == Expected::vocabulary || expected == Expected::descriptors) &&
           !is_one_of(ending, {".npy", ".npz", ".yml", ".yaml", ".xml"});
}

std::string_view name_of(Expected expected) {
    constexpr std::array<std::string_view, 4> names = {"picture", "descriptor file", "vocabulary",
                                                       "table of histograms"};
    return names.at(static_cast<std::size_t>(expected));
}

} // namespace

std::optional<ForeignFile> recognize(const InputFile &file, Expected expected) {
    constexpr std::uint64_t longest_header = 8; // of rows without a signature
    const std::string head = read_head(file);
    const std::string ending = ending_of(file.name());
    if (head.empty()) return std::nullopt;
    if (is_blank(head))
        return head.size() > longest_header ? blank(file, head.front()) : std::nullopt;
    if (head.starts_with("PK\x03\x04")) return zip_kind(file, ending);
    if (head.starts_with("\x93NUMPY")) {
        if (ending == ".npy") return std::nullopt;
        return ForeignFile{"an array of NumPy", "give it a name that ends in .npy"};
    }
    if (auto kind = marked_kind(head)) return kind;
    if (auto kind = text_kind(head, text_reader(file, expected, ending))) return kind;
    if (auto kind = rows_kind(file, head, ending, !reads_float_rows(expected, ending))) return kind;
    const auto is_it = [&](std::string_view key, std::size_t) { return ending == key; };
    if (auto kind = find_kind(by_ending, is_it)) return kind;
    if (expected != Expected::image) return std::nullopt;
    if (auto kind = find_kind(results, is_it)) return kind;
    return plain_text(head);
}

std::string refusal(const ForeignFile &found, Expected expected) {
    constexpr std::string_view c_bin = "give the c.bin that `bowhist train` writes";
    std::string advice = found.advice;
    if (found.is_image && expected != Expected::image)
        advice = "pictures are INPUT, under names that end as theirs do (.jpg, .png)";
    if (expected == Expected::vocabulary)
        advice = found.is_image ? c_bin : fmt::format("{}; or {}", advice, c_bin);
    return fmt::format("is no {} but {}; {}", name_of(expected), found.what, advice);
}

} // namespace bowhist
