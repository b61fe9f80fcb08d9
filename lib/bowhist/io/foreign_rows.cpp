// Rows of numbers in files without a signature, all little-endian:
//
//     .fvecs .ivecs .hvecs .bvecs   each row: int32 D, then D numbers of 4, 4, 2 or 1 bytes
//     .fbin .ibin .f16bin .u8bin .i8bin   uint32 rows, uint32 D, then rows·D numbers
//
// They are recognized by sizes that fit: D is the same in front of each row, or the header promises
// the file's size.

#include <bowhist/io/foreign_kinds.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

namespace bowhist {
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

} // namespace bowhist
