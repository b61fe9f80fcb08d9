#include <bowhist/learn/sent_rows.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

namespace bowhist {
namespace {

constexpr std::size_t floats_sent = std::size_t{1} << 18; ///< at a time: they stay in a cache

/// The rows and dimensions of rank 0's descriptors.
std::array<std::uint64_t, 2> shape_of(const Descriptors &all, Team &team) {
    std::array<std::uint64_t, 2> shape{all.size(), team.rank() == 0 ? all.dimensions : 0};
    team.sum(shape);
    return shape;
}

/// Sends rank 0's descriptors to all. @return those that this member wants
Descriptors received(const Descriptors &all, std::size_t dimensions, std::size_t rows,
                     const ShardRange &wanted, Team &team) {
    const std::size_t first = wanted.first * dimensions;
    const std::size_t end = wanted.last * dimensions;
    Descriptors own{dimensions, std::vector<float>(end - first)};
    std::string bytes;
    for (std::size_t at = 0; at < rows * dimensions; at += floats_sent) {
        const std::size_t count = std::min<std::size_t>(floats_sent, rows * dimensions - at);
        if (team.rank() == 0) {
            const auto some = std::as_bytes(std::span(all.values).subspan(at, count));
            bytes.assign(reinterpret_cast<const char *>(some.data()), some.size());
        }
        team.broadcast(bytes);
        const std::size_t begin = std::clamp(first, at, at + count);
        const std::size_t stop = std::clamp(end, at, at + count);
        if (begin == stop) continue;
        std::memcpy(own.values.data() + (begin - first),
                    bytes.data() + (begin - at) * sizeof(float), (stop - begin) * sizeof(float));
    }
    return own;
}

} // namespace

void share_rows(GatheredRows &gathered, Team &team) {
    if (team.size() == 1 || !gathered.in_memory) return;
    const auto [rows, dimensions] = shape_of(*gathered.in_memory, team);
    const ShardRange own = share_of(team, rows);
    auto share =
        std::make_unique<Descriptors>(received(*gathered.in_memory, dimensions, rows, own, team));
    gathered.all = std::move(gathered.rows);
    gathered.share = std::move(share);
    gathered.rows = std::make_unique<RowsInMemory>(*gathered.share);
}

void copy_rows(GatheredRows &gathered, Team &team) {
    if (team.size() == 1) return;
    const auto [rows, dimensions] = shape_of(*gathered.in_memory, team);
    const ShardRange own{0, team.rank() == 0 ? 0 : rows}; // rank 0 has them
    Descriptors all = received(*gathered.in_memory, dimensions, rows, own, team);
    if (team.rank() > 0) *gathered.in_memory = std::move(all);
}

} // namespace bowhist
