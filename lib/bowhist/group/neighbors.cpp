#include <bowhist/core/default_floats.hpp>
#include <bowhist/group/nearest_list.hpp>
#include <bowhist/group/neighbors.hpp>
#include <bowhist/group/product_screen.hpp>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>

namespace bowhist {
namespace {

constexpr std::size_t block_rows = PackedRows::block_rows;
constexpr std::size_t blocks_a_part = 10; ///< parts are compared with parts, one pair a task
constexpr float never = std::numeric_limits<float>::infinity();

/// The lists so far, in part after part. A part's lists are read and written under its lock.
class Lists {
  public:
    Lists(std::size_t rows, std::size_t most, std::span<const std::int64_t> squared_norms)
        : most_(most), squared_norms_(squared_norms), length_(rows, 0), all_(rows * most) {}

    /// Adds a row to a list, if it belongs there.
    void offer(std::size_t to, const Neighbor &one) {
        bowhist::offer(std::span(all_).subspan(to * most_, most_), length_[to], one,
                       squared_norms_);
    }

    /// A likeness in floats that is below this has no place in the list: the likeness of its last,
    /// less what rounding may have changed.
    float limit(std::size_t row) const {
        if (row >= length_.size()) return never;
        if (length_[row] < most_) return -never;
        const Neighbor &last = all_[row * most_ + most_ - 1];
        const double likeness =
            last.product / std::sqrt(static_cast<double>(squared_norms_[row]) *
                                     static_cast<double>(squared_norms_[last.row]));
        return static_cast<float>(likeness - 2 * likeness_error * std::abs(likeness));
    }

    std::span<const Neighbor> of(std::size_t row) const {
        return std::span(all_).subspan(row * most_, length_[row]);
    }

  private:
    std::size_t most_;
    std::span<const std::int64_t> squared_norms_;
    std::vector<std::uint32_t> length_;
    std::vector<Neighbor> all_;
};

/// Compares every part of the rows with itself and each later one.
class Comparison {
  public:
    Comparison(const PackedRows &rows, Lists &lists, Observer &observer)
        : rows_(rows), lists_(lists), observer_(observer),
          parts_(divided_up(rows.blocks(), blocks_a_part)), locks_(parts_) {}

    void run() {
        const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
        tbb::parallel_for(std::size_t{0}, threads, [&](std::size_t) {
            const DefaultFloats floats;
            for (std::size_t pair = next_++; pair < pairs(); pair = next_++) {
                observer_.stop_if_interrupted();
                compare(pair);
                report();
            }
        });
    }

  private:
    struct Part {
        std::size_t number;
        std::size_t first_block;
        std::size_t end_block;
    };

    std::size_t pairs() const { return parts_ * (parts_ + 1) / 2; }

    Part part(std::size_t number) const {
        return {number, number * blocks_a_part,
                std::min((number + 1) * blocks_a_part, rows_.blocks())};
    }

    /// Pairs are numbered by their distance: each part with itself, with the next, and so on, since
    /// what lies near often is alike, and full lists with high limits are quick.
    void compare(std::size_t pair) {
        std::size_t distance = 0;
        while (pair >= parts_ - distance) pair -= parts_ - distance++;
        compare(part(pair), part(pair + distance));
    }

    void compare(const Part &rows, const Part &columns) {
        std::array<float, blocks_a_part * block_rows> row_limits;
        alignas(64) std::array<float, block_rows> column_limits;
        std::vector<Hit> hits;
        const bool itself = rows.number == columns.number;
        copy_limits(rows, rows.first_block, rows.end_block, row_limits.data());
        column_limits.fill(never);
        for (std::size_t b = columns.first_block; b < columns.end_block; ++b) {
            if (!itself) copy_limits(columns, b, b + 1, column_limits.data());
            hits.clear();
            screen_(rows_,
                    {rows.first_block, rows.end_block, b, row_limits.data(), column_limits.data()},
                    hits);
            std::erase_if(hits, [&](const Hit &hit) {
                return hit.row == hit.column || std::max(hit.row, hit.column) >= rows_.size();
            });
            take(rows, hits, [](const Hit &hit) { return hit; });
            copy_limits(rows, rows.first_block, rows.end_block, row_limits.data());
            if (!itself)
                take(columns, hits, [](const Hit &hit) {
                    return Hit{hit.column, hit.row, hit.product};
                });
        }
    }

    template <class Seen>
    void take(const Part &part, const std::vector<Hit> &hits, Seen &&seen) {
        if (hits.empty()) return;
        const std::scoped_lock lock(locks_[part.number]);
        for (const Hit &hit : hits) {
            const Hit one = seen(hit);
            lists_.offer(one.row, {one.column, one.product});
        }
    }

    void copy_limits(const Part &part, std::size_t first, std::size_t end, float *limits) {
        const std::scoped_lock lock(locks_[part.number]);
        for (std::size_t row = first * block_rows; row < end * block_rows; ++row)
            *limits++ = lists_.limit(row);
    }

    void report() {
        const std::size_t done = ++done_;
        const std::unique_lock lock(reporting_, std::try_to_lock);
        if (lock) observer_.progress("neighbors", done, pairs());
    }

    const PackedRows &rows_;
    Lists &lists_;
    Observer &observer_;
    ScreenProducts screen_ = product_screen();
    std::size_t parts_;
    std::vector<std::mutex> locks_;
    std::mutex reporting_;
    std::atomic<std::size_t> next_ = 0;
    std::atomic<std::size_t> done_ = 0;
};

} // namespace

std::vector<std::int32_t> squared_norms(const IntegerRows &rows) {
    std::vector<std::int32_t> norms(rows.size());
    tbb::parallel_for(std::size_t{0}, rows.size(),
                      [&](std::size_t row) { norms[row] = product(rows.row(row), rows.row(row)); });
    return norms;
}

Neighbors nearest_neighbors(const IntegerRows &rows, std::size_t most, Observer &observer) {
    Neighbors neighbors;
    neighbors.squared_norms = squared_norms(rows);
    std::vector<std::uint32_t> kept; // rows that are not zeros
    std::vector<std::int64_t> kept_norms;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (neighbors.squared_norms[row] == 0) continue;
        kept.push_back(static_cast<std::uint32_t>(row));
        kept_norms.push_back(neighbors.squared_norms[row]);
    }
    const std::size_t others = kept.empty() ? 0 : kept.size() - 1;
    Lists lists(kept.size(), std::min(most, others), kept_norms);
    if (others > 0 && most > 0) {
        const PackedRows packed(rows, kept, neighbors.squared_norms);
        Comparison(packed, lists, observer).run();
    }
    std::size_t next = 0; // of those that are kept
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (neighbors.squared_norms[row] != 0)
            for (const Neighbor &one : lists.of(next++))
                neighbors.all.push_back({kept[one.row], one.product});
        neighbors.starts.push_back(neighbors.all.size());
    }
    return neighbors;
}

} // namespace bowhist
