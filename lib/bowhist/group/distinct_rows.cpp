#include <bowhist/group/distinct_rows.hpp>

#include <string_view>
#include <unordered_map>

namespace bowhist {

DistinctRows distinct_rows(const IntegerRows &rows) {
    DistinctRows distinct{{rows.dimensions, {}}, {}, {}};
    std::unordered_map<std::string_view, std::uint32_t> places; // by the row's bytes
    places.reserve(rows.size());
    distinct.rows.values.reserve(rows.values.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto row = rows.row(i);
        const std::string_view bytes(reinterpret_cast<const char *>(row.data()), row.size_bytes());
        const auto [found, is_new] =
            places.emplace(bytes, static_cast<std::uint32_t>(distinct.counts.size()));
        if (is_new) {
            distinct.counts.push_back(0);
            distinct.rows.values.insert(distinct.rows.values.end(), row.begin(), row.end());
        }
        distinct.counts[found->second] += 1;
        distinct.of_row.push_back(found->second);
    }
    return distinct;
}

} // namespace bowhist
