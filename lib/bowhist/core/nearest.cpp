#include <bowhist/core/nearest.hpp>

#include <algorithm>
#include <vector>

namespace bowhist {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[a.size()][b.size()];
}

std::string nearest(std::string_view word, std::span<const std::string> names) {
    constexpr std::size_t most_edits = 2;
    std::string best;
    std::size_t fewest = most_edits + 1;
    for (const std::string &name : names) {
        const std::size_t edits = edit_distance(word, name);
        if (edits >= fewest || 2 * edits >= std::min(word.size(), name.size())) continue;
        fewest = edits;
        best = name;
    }
    return best;
}

} // namespace bowhist
