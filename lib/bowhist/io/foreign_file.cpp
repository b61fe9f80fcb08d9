#include <bowhist/io/foreign_kinds.hpp>

#include <bowhist/io/ending.hpp>

#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>

namespace bowhist {
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
