#include <bowhist/group/kept_rows.hpp>

#include <bowhist/group/method_groups.hpp>
#include <bowhist/group/neighbors.hpp>

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

namespace {

bool needs_neighbors(const GroupRequest &request) {
    return request.method == GroupMethod::leiden || request.outliers || request.levels ||
           request.tree;
}

Neighbors neighbors_of(const IntegerRows &rows, const GroupRequest &request, Observer &observer) {
    if (needs_neighbors(request))
        return request.find_neighbors(rows, neighbors_for(rows.size()), observer);
    Neighbors none;
    none.squared_norms.resize(rows.size());
    none.starts.resize(rows.size() + 1);
    return none;
}

bool is_held(const GroupRequest &request, std::size_t image) {
    return !request.held.empty() && request.held[image];
}

} // namespace

Kept keep(const DistinctRows &distinct, const GroupRequest &request, Observer &observer) {
    const Neighbors neighbors = neighbors_of(distinct.rows, request, observer);
    Kept kept{{}, {{distinct.rows.dimensions, {}}, {}, {}}, {}};
    std::vector<bool> nowhere(distinct.rows.size(), false);
    if (request.outliers) nowhere = find_outliers(neighbors);
    std::vector<std::uint32_t> number(distinct.rows.size(), 0);
    for (std::uint32_t row = 0; row < distinct.rows.size(); ++row) {
        const bool has_copies = distinct.counts[row] > 1 && neighbors.squared_norms[row] != 0;
        nowhere[row] = nowhere[row] && !has_copies;
        if (nowhere[row]) continue;
        number[row] = static_cast<std::uint32_t>(kept.places.size());
        kept.places.push_back(row);
        kept.rows.counts.push_back(distinct.counts[row]);
        if (request.method == GroupMethod::leiden) continue;
        kept.rows.rows.values.reserve(distinct.rows.values.size());
        const auto values = distinct.rows.row(row);
        kept.rows.rows.values.insert(kept.rows.rows.values.end(), values.begin(), values.end());
    }
    for (const std::uint32_t row : distinct.of_row)
        if (!nowhere[row]) kept.rows.of_row.push_back(number[row]);
    kept.graph = neighbor_graph(neighbors);
    if (kept.places.size() < distinct.rows.size())
        kept.graph = PartsOfGraph(kept.graph).part(kept.places);
    return kept;
}

std::vector<std::int32_t> of_images(const DistinctRows &distinct, const Kept &kept,
                                    const LevelLabels &labels) {
    LevelLabels of_distinct(distinct.rows.size(), Grouping::nowhere);
    for (std::size_t i = 0; i < labels.size(); ++i) of_distinct[kept.places[i]] = labels[i];
    std::vector<std::int32_t> result;
    for (const std::uint32_t row : distinct.of_row) result.push_back(of_distinct[row]);
    return result;
}

LevelLabels of_kept(const DistinctRows &distinct, const Kept &kept, const GroupRequest &request,
                    const Grouping &grouping) {
    LevelLabels of_distinct(distinct.rows.size(), Grouping::nowhere);
    for (std::size_t image = 0; image < distinct.of_row.size(); ++image) {
        std::int32_t &own = of_distinct[distinct.of_row[image]];
        if (!is_held(request, image) || own < 0) own = grouping.group[image];
    }
    LevelLabels result;
    for (const std::uint32_t place : kept.places) result.push_back(of_distinct[place]);
    return result;
}

LevelLabels start_of(const DistinctRows &distinct, const Kept &kept, const GroupRequest &request) {
    LevelLabels of_distinct(distinct.rows.size(), Grouping::nowhere);
    for (const bool held : {false, true})
        for (std::size_t image = 0; image < request.start.size(); ++image) {
            std::int32_t &own = of_distinct[distinct.of_row[image]];
            if (is_held(request, image) == held && own < 0) own = request.start[image];
        }
    LevelLabels result;
    for (const std::uint32_t place : kept.places) result.push_back(of_distinct[place]);
    return result;
}

} // namespace bowhist
