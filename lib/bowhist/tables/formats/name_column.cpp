#include <bowhist/tables/formats/name_column.hpp>

#include <bowhist/io/input_file.hpp>
#include <bowhist/io/surrogate_escape.hpp>
#include <bowhist/tables/formats/npy.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace bowhist {
namespace {

std::uint64_t letters_of(const ByteSource &source, const NpyHeader &header) {
    const std::uint64_t letters = letters_in(header.type);
    if (letters == 0 || header.shape.size() != 1)
        source.fail("expected a row of text ('<U' and its width), found {}", description(header));
    return letters;
}

} // namespace

void NameColumn::add(std::string_view path_bytes) {
    const std::u32string name = decode_path(path_bytes);
    const auto length = static_cast<std::uint32_t>(name.size());
    names_.stream.write(bytes_of(std::array{length}));
    names_.stream.write(bytes_of(name));
    longest_ = std::max(longest_, length);
    ++rows_;
}

void NameColumn::lay_out(Spool &entry) {
    names_.stream.close();
    InputFile names(names_.file.path(), Fault::output);
    entry.stream.write(npy_header(text_type(longest_), {rows_}));
    std::u32string padded;
    for (std::uint64_t row = 0; row < rows_; ++row) {
        padded.assign(longest_, U'\0');
        const auto length = read_value<std::uint32_t>(names);
        names.read(std::as_writable_bytes(std::span(padded).first(length)));
        entry.stream.write(bytes_of(padded));
    }
}

NpyHeader read_names_header(ByteSource &source, std::uint64_t rows) {
    NpyHeader header = read_npy_header(source);
    npy_value_count(source, header, letters_of(source, header) * sizeof(char32_t));
    if (header.shape[0] != rows)
        source.fail("expected {} names, one for each histogram, found {}", rows, header.shape[0]);
    return header;
}

std::vector<std::string> read_names(ByteSource &source, const NpyHeader &header) {
    const std::uint64_t letters = letters_of(source, header);
    std::vector<std::string> names;
    std::u32string name;
    for (std::uint64_t row = 0; row < header.shape[0]; ++row) {
        name.resize(letters);
        source.read(std::as_writable_bytes(std::span(name)));
        name.resize(name.find_last_not_of(U'\0') + 1);
        names.push_back(encode_path(name));
    }
    return names;
}

} // namespace bowhist
