// The .npy format of numpy: one array.
//
//     6 bytes   \x93NUMPY
//     2 bytes   version, major and minor: 1.0, 2.0 or 3.0
//     2 bytes   (4 from version 2.0 on) little-endian length of the rest of the header
//     the rest  a Python dictionary as text, padded with spaces and ended by a line feed:
//               {'descr': '<f4', 'fortran_order': False, 'shape': (3, 64), }
//     values    end to end, in the type that `descr` names; in C order the last index runs fastest
//
// Written is version 1.0, padded to 128 bytes. Read is every version; the dictionary's keys may
// come in any order and spacing, as numpy.load allows. The values must reach exactly to the end.

#include <bowhist/tables/formats/npy.hpp>

#include <bowhist/core/printable.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace bowhist {

// The dictionary in the header of an .npy: Python's notation.

namespace {

/// Walks through Python's notation. A function that does not find its kind of token stays in
/// place.
class Scanner {
  public:
    explicit Scanner(std::string_view text) : rest_(text) {}

    bool take(std::string_view expected) {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
        if (!rest_.starts_with(expected)) return false;
        rest_.remove_prefix(expected.size());
        return true;
    }

    std::optional<std::string_view> quoted() {
        const char quote = take("'") ? '\'' : '"';
        if (quote == '"' && !take("\"")) return std::nullopt;
        const std::size_t end = rest_.find(quote);
        if (end == std::string_view::npos) return std::nullopt;
        const std::string_view text = rest_.substr(0, end);
        rest_.remove_prefix(end + 1);
        return text;
    }

    std::optional<std::uint64_t> number() {
        take("");
        std::uint64_t value = 0;
        const auto parsed = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (parsed.ec != std::errc{}) return std::nullopt;
        rest_.remove_prefix(static_cast<std::size_t>(parsed.ptr - rest_.data()));
        take("L"); // Python 2 wrote long integers so
        return value;
    }

    bool at_end() { return take("") && rest_.empty(); }

  private:
    std::string_view rest_;
};

bool take_shape(Scanner &scanner, NpyHeader &header) {
    constexpr std::size_t most_dimensions = 32; // numpy's own limit
    if (!scanner.take("(")) return false;
    while (!scanner.take(")")) {
        const auto extent = scanner.number();
        if (!extent || header.shape.size() == most_dimensions) return false;
        header.shape.push_back(*extent);
        if (scanner.take(",")) continue;
        return header.shape.size() > 1 && scanner.take(")"); // (3) would be a number
    }
    return true;
}

bool take_order(Scanner &scanner, NpyHeader &header) {
    header.fortran_order = scanner.take("True");
    return header.fortran_order || scanner.take("False");
}

bool take_type(Scanner &scanner, NpyHeader &header) {
    const auto type = scanner.quoted();
    header.type = type.value_or("");
    return type.has_value();
}

} // namespace

std::optional<NpyHeader> parse_npy_dictionary(std::string_view text) {
    struct Key {
        std::string_view name;
        bool (*take)(Scanner &, NpyHeader &);
        bool seen = false;
    };
    Key keys[] = {{"descr", take_type}, {"fortran_order", take_order}, {"shape", take_shape}};
    Scanner scanner(text);
    NpyHeader header;
    if (!scanner.take("{")) return std::nullopt;
    while (!scanner.take("}")) {
        const auto name = scanner.quoted();
        bool taken = false;
        for (Key &key : keys) {
            if (name != key.name || key.seen || !scanner.take(":")) continue;
            key.seen = taken = key.take(scanner, header);
        }
        if (!taken) return std::nullopt;
        if (scanner.take(",")) continue;
        if (!scanner.take("}")) return std::nullopt;
        break;
    }
    for (const Key &key : keys) {
        if (!key.seen) return std::nullopt;
    }
    return scanner.at_end() ? std::optional(header) : std::nullopt;
}

namespace {

constexpr std::string_view magic = "\x93NUMPY";

std::string text_of(const std::vector<std::uint64_t> &shape) {
    return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

/// Reports what follows the values.
/// @param bytes  of the values
[[noreturn]] void fail_of_more(ByteSource &source, const NpyHeader &header, std::uint64_t bytes) {
    constexpr std::uint64_t most = 1 << 20;
    const std::uint64_t more = source.remaining() - bytes;
    for (std::uint64_t left = bytes; left > 0; left -= std::min(left, most))
        read_values<char>(source, std::min(left, most));
    const std::vector<char> next = read_values<char>(source, std::min(more, magic.size()));
    if (std::string_view(next.data(), next.size()) == magic)
        source.fail("holds {}, and more follows: a second array begins at byte {}; save each to a "
                    "file of its own",
                    description(header), header.bytes + bytes);
    source.fail("its header promises {}, that is {} bytes, but {} follow; it is damaged, or more "
                "was written behind it",
                description(header), bytes, bytes + more);
}

} // namespace

std::string npy_header(std::string_view type, const std::vector<std::uint64_t> &shape) {
    std::string header{magic};
    header += std::string_view("\x01\x00", 2);
    const std::size_t rest = npy_header_bytes - header.size() - 2;
    header += static_cast<char>(rest);
    header += '\0';
    header += fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", type,
                          text_of(shape));
    header.resize(npy_header_bytes - 1, ' ');
    return header + '\n';
}

NpyHeader read_npy_header(ByteSource &source) {
    constexpr std::uint64_t shortest = 10;
    if (source.remaining() < shortest) source.fail("is no .npy file: too short to have a header");
    const std::vector<char> begin = read_values<char>(source, magic.size() + 2);
    const std::string_view start(begin.data(), begin.size());
    if (!start.starts_with(magic))
        source.fail("is no .npy file: expected it to begin with \\x93NUMPY");
    const auto version = static_cast<unsigned char>(start[magic.size()]);
    const auto minor_version = static_cast<unsigned char>(start.back());
    if (version < 1 || version > 3 || minor_version != 0)
        source.fail("expected .npy version 1.0, 2.0 or 3.0, found {}.{}", version, minor_version);
    constexpr std::uint32_t longest = 65536;
    const std::uint32_t length =
        version == 1 ? read_value<std::uint16_t>(source) : read_value<std::uint32_t>(source);
    if (length > longest || length > source.remaining())
        source.fail("its header promises {} bytes of text, but {} follow; it is cut off or damaged",
                    length, source.remaining());
    const std::vector<char> text = read_values<char>(source, length);
    const std::string_view dictionary(text.data(), text.size());
    if (auto header = parse_npy_dictionary(dictionary)) {
        constexpr std::uint64_t before_length = 8;
        header->bytes = before_length + (version == 1 ? 2 : 4) + length;
        return *header;
    }
    if (dictionary.find("'descr': [") != std::string_view::npos)
        source.fail("holds records with named fields, {}; save one table of float32: "
                    "numpy.stack([x[n] for n in x.dtype.names], 1).astype('<f4')",
                    excerpt(dictionary.substr(0, dictionary.find(", 'fortran"))));
    source.fail("expected a header like {{'descr': '<f4', 'fortran_order': False, 'shape': (3, "
                "64), }}, found {}",
                excerpt(dictionary.substr(0, dictionary.find_last_not_of(" \n") + 1)));
}

void refuse_objects(const ByteSource &source, const NpyHeader &header) {
    if (header.type.find('O') != std::string::npos)
        source.fail("holds Python objects ({}), rows of unlike lengths, maybe; save one table: "
                    "numpy.stack(x).astype('<f4')",
                    description(header));
}

std::uint64_t npy_value_count(ByteSource &source, const NpyHeader &header,
                              std::uint64_t bytes_per_value) {
    if (header.fortran_order)
        source.fail("expected C order, found Fortran order; save numpy.ascontiguousarray(x)");
    std::uint64_t count = 1;
    std::uint64_t bytes = 0;
    bool overflow = false;
    for (const std::uint64_t extent : header.shape)
        overflow = __builtin_mul_overflow(count, extent, &count) || overflow;
    overflow = __builtin_mul_overflow(count, bytes_per_value, &bytes) || overflow;
    if (!overflow && bytes < source.remaining()) fail_of_more(source, header, bytes);
    if (overflow || bytes != source.remaining())
        source.fail(
            "its header promises {}, that is {} bytes, but {} follow; it is cut off or damaged",
            description(header), overflow ? "more than 2^64" : std::to_string(bytes),
            source.remaining());
    return count;
}

std::string description(const NpyHeader &header) {
    return fmt::format("'{}' of shape {}", excerpt(header.type), excerpt(text_of(header.shape)));
}

} // namespace bowhist
