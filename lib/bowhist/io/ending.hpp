#pragma once

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>

namespace bowhist {

/// An ASCII letter in lower case. Unlike tolower() it does not depend on the locale.
inline char to_lower(char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

/// The ending of a file's name, in lower case and with its dot: ".npy" for "A/B.NPY"; may be empty.
inline std::string ending_of(const std::filesystem::path &path) {
    std::string ending = path.extension().native();
    std::ranges::transform(ending, ending.begin(), to_lower);
    return ending;
}

/// The row of a table of formats with the `ending` of the path; null without one.
template <typename Rows>
auto row_by_ending(const Rows &rows, const std::filesystem::path &path) {
    const auto found =
        std::ranges::find(rows, ending_of(path), [](const auto &row) { return row.ending; });
    return found == std::end(rows) ? nullptr : &*found;
}

} // namespace bowhist
