#include <bowhist/core/round_up.hpp>
#include <bowhist/group/device_search.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace bowhist {
namespace {

constexpr std::size_t first_pairs = 1 << 22; ///< of a launch: 64 columns and a batch
constexpr double short_seconds = 0.02;       ///< shorter launches grow
constexpr double long_seconds = 0.08;        ///< a desktop that shares the device may wait

std::string options_of(CodeProducts products, std::size_t dimensions) {
    return fmt::format("-DSLICES={}{}", code_bytes(dimensions) / CODE_SLICE,
                       products == CodeProducts::dot ? " -DDP4A" : "");
}

} // namespace

CodeNeighborSearch::CodeNeighborSearch(Device &device, const DeviceCodes &codes,
                                       std::size_t dimensions, std::size_t most,
                                       CodeProducts products)
    : device_(device), codes_(codes), most_(most), products_(products),
      batch_(std::min(batch_rows, round_up(codes.size(), std::size_t{MATRIX_CODE_GROUP}))),
      pairs_(first_pairs),
      compare_(
          device.kernel(products == CodeProducts::matrix ? "codes_matrix.cl" : "codes_plain.cl",
                        "compare", options_of(products, dimensions))),
      keep_(device.kernel("keep_nearest.cl", "keep")), counts_(device.allocate<cl_uint>(batch_)),
      candidates_(device.allocate<cl_uint2>(batch_ * CANDIDATES)),
      nearest_(device.allocate<cl_uint2>(batch_ * most)), limits_(device.allocate<float>(batch_)),
      lost_(device.allocate<cl_uint>(batch_)) {}

void CodeNeighborSearch::run(Observer &observer, const Take &take) {
    for (std::size_t first = 0; first < codes_.size(); first += batch_) {
        const std::size_t rows = std::min(batch_, codes_.size() - first);
        clear(rows);
        for (std::size_t seen = 0; seen < codes_.size();) {
            observer.stop_if_interrupted();
            seen = compare(first, rows, seen);
        }
        std::vector<cl_uint2> nearest(rows * most_);
        std::vector<cl_uint> lost(rows);
        device_.download(std::span(nearest), nearest_);
        device_.download(std::span(lost), lost_);
        take(first, nearest, lost);
        observer.progress("neighbors", first + rows, codes_.size());
    }
}

void CodeNeighborSearch::clear(std::size_t rows) {
    device_.fill(counts_, cl_uint{0}, rows);
    device_.fill(nearest_, cl_uint2{{NO_CANDIDATE, 0}}, rows * most_);
    device_.fill(limits_, -1e9F, rows); // below any product over a norm
    device_.fill(lost_, cl_uint{0}, rows);
}

/// The batch with as many of the next columns as it may. @return the columns seen then
std::size_t CodeNeighborSearch::compare(std::size_t first, std::size_t rows, std::size_t seen) {
    constexpr std::size_t tile = CODE_TILE;
    const std::size_t doubled = std::max(tile, seen);
    const std::size_t at_once = std::max(tile, pairs_ / rows / tile * tile);
    const std::size_t end = std::min(seen + std::min(doubled, at_once), codes_.size());
    launch({static_cast<unsigned>(first), static_cast<unsigned>(first + rows),
            static_cast<unsigned>(seen), static_cast<unsigned>(round_up(end, tile)),
            static_cast<unsigned>(codes_.size())});
    device_.launch(keep_, {rows, 1}, {KEEP_GROUP, 1}, codes_.squared_norms, codes_.inverse_norms,
                   codes_.numbers, counts_, candidates_, nearest_, limits_, lost_,
                   static_cast<cl_uint>(rows), static_cast<cl_uint>(most_));
    const double seconds = device_.take_launches().span_seconds;
    seconds_ += seconds;
    if (seconds < short_seconds && at_once < doubled) pairs_ *= 2;
    if (seconds > long_seconds) pairs_ = std::max(first_pairs, pairs_ / 2);
    return end;
}

void CodeNeighborSearch::launch(const CodePass &pass) {
    const std::size_t rows = pass.end_row - pass.first_row;
    const std::size_t tiles = (pass.end_column - pass.first_column) / CODE_TILE;
    Range group{PLAIN_GROUP, PLAIN_GROUP};
    Range groups{tiles, divided_up(rows, CODE_TILE)};
    if (products_ == CodeProducts::matrix) {
        group = {MATRIX_CODE_GROUP, 1};
        groups = {divided_up(rows, MATRIX_CODE_GROUP), divided_up(tiles, MATRIX_CODE_TILES)};
    }
    device_.launch(compare_, {groups[0] * group[0], groups[1] * group[1]}, group, codes_.values,
                   codes_.inverse_norms, limits_, counts_, candidates_, pass);
}

} // namespace bowhist
