// The dictionary in the header of an .npy (npy.cpp): Python's notation.

#include <bowhist/tables/formats/npy.hpp>

#include <algorithm>
#include <charconv>

namespace bowhist {

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

} // namespace bowhist
