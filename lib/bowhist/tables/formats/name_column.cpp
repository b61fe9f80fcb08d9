#include <bowhist/tables/formats/name_column.hpp>

#include <bowhist/io/input_file.hpp>
#include <bowhist/io/surrogate_escape.hpp>
#include <bowhist/tables/formats/npy.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace bowhist {

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

} // namespace bowhist
