#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace bowhist {

/// A path (or any text from outside) for a message of one line: control characters appear as
/// `\n`, `\t`, `\x1b`, all other bytes as they are; an empty one as ''. Strings convert to a path
/// without change.
std::string printable(const std::filesystem::path &text);

/// As printable(), for text from inside a file, which may be as long as the file: at most 200
/// bytes, which end in "..." where text was cut. Empty text stays empty.
std::string excerpt(std::string_view text);

} // namespace bowhist

/// A path in a message is printable: fmt::format("{}: there is no such file", path).
template <>
struct fmt::formatter<std::filesystem::path> : fmt::formatter<std::string> {
    template <typename Context>
    auto format(const std::filesystem::path &path, Context &context) const {
        return fmt::formatter<std::string>::format(bowhist::printable(path), context);
    }
};

namespace bowhist {

/// "1 image", "2 images".
inline std::string counted(std::size_t count, std::string_view thing) {
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

} // namespace bowhist
