#include <bowhist/group/linkage.hpp>

#include <bowhist/assign/rule.hpp>
#include <bowhist/core/default_floats.hpp>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace bowhist {
namespace {

std::string quoted(const std::string &name) {
    std::string result = "'";
    for (const char c : name) {
        result += c;
        if (c == '\'') result += c;
    }
    return result + "'";
}

/// A node on the way from the root, and which of its children comes next.
struct Step {
    std::uint32_t node;
    std::size_t next = 0;
};

} // namespace

std::uint32_t Tree::add(double height) {
    const auto node = static_cast<std::uint32_t>(parents.size());
    parents.push_back(node);
    heights.push_back(height);
    return node;
}

void write_newick(const Tree &tree, std::span<const std::string> names,
                  const std::function<void(std::string_view)> &write) {
    std::vector<std::vector<std::uint32_t>> children(tree.parents.size());
    for (std::uint32_t node = 0; node < tree.parents.size(); ++node)
        if (tree.parents[node] != node) children[tree.parents[node]].push_back(node);
    const auto root = static_cast<std::uint32_t>(tree.parents.size() - 1);
    std::vector<Step> way = {{root}}; // no recursion: trees may be as deep as there are images
    while (!way.empty()) {
        Step &step = way.back();
        const auto &below = children[step.node];
        if (step.next < below.size()) {
            write(step.next == 0 ? "(" : ",");
            way.push_back({below[step.next++]});
            continue;
        }
        if (!below.empty()) write(")");
        if (step.node < names.size()) write(quoted(names[step.node]));
        if (step.node != root)
            write(fmt::format(":{}",
                              tree.heights[tree.parents[step.node]] - tree.heights[step.node]));
        way.pop_back();
    }
    write(";\n");
}

namespace {

/// Finds all merges by a chain of nearest neighbors (Murtagh, "A survey of recent advances in
/// hierarchical clustering algorithms", 1983): from group to nearest group, until two are each
/// other's nearest. Such a pair merges sooner or later, so it may do so at once.
class Chain {
  public:
    Chain(std::size_t rows, const SquaredDistance &distance, std::span<const double> weights,
          Linkage linkage, Observer &observer)
        : linkage_(linkage), observer_(observer), weights_(weights.begin(), weights.end()),
          costs_(rows * rows) {
        constexpr std::size_t at_once = 256; // rows between two looks for an interruption
        for (std::size_t first = 0; first < rows; first += at_once) {
            observer_.stop_if_interrupted();
            const std::size_t end = std::min(first + at_once, rows);
            tbb::parallel_for(first, end, [&](std::size_t a) {
                const DefaultFloats floats;
                for (std::size_t b = 0; b < a; ++b)
                    cost(a, b) = static_cast<float>(first_factor(a, b) * distance(a, b));
            });
            observer_.progress("distances", end * (end - 1) / 2, rows * (rows - 1) / 2);
        }
        mirror();
    }

    std::vector<Merge> run() {
        const DefaultFloats floats;
        std::vector<std::uint32_t> left(weights_.size());
        std::iota(left.begin(), left.end(), 0U);
        std::vector<Merge> merges;
        std::vector<std::uint32_t> chain;
        while (left.size() > 1) {
            if (chain.empty()) chain.push_back(left.front());
            const std::uint32_t last = chain.back();
            const bool has_before = chain.size() > 1;
            // of equally near groups the one before, or the chain would go in circles
            const Merge next = nearest(last, has_before ? chain[chain.size() - 2] : last, left);
            if (!has_before || next.kept != chain[chain.size() - 2]) {
                chain.push_back(next.kept);
                continue;
            }
            chain.resize(chain.size() - 2);
            std::erase(left, last);
            merges.push_back(next);
            update_costs(next, left);
            observer_.stop_if_interrupted();
            observer_.progress("merges", merges.size(), weights_.size() - 1);
        }
        return merges;
    }

  private:
    float &cost(std::size_t a, std::size_t b) { return costs_[a * weights_.size() + b]; }

    double first_factor(std::size_t a, std::size_t b) const {
        if (linkage_ == Linkage::average) return 1;
        return weights_[a] * weights_[b] / (weights_[a] + weights_[b]);
    }

    /// Copies what is below the diagonal to above it, in squares that fit the caches.
    void mirror() {
        constexpr std::size_t side = 64;
        const std::size_t rows = weights_.size();
        tbb::parallel_for(std::size_t{0}, (rows + side - 1) / side, [&](std::size_t band) {
            const std::size_t end = std::min((band + 1) * side, rows);
            for (std::size_t first = band * side; first < rows; first += side)
                for (std::size_t a = first; a < std::min(first + side, rows); ++a)
                    for (std::size_t b = band * side; b < std::min(end, a); ++b)
                        cost(b, a) = cost(a, b);
        });
    }

    /// The merge with the nearest group; with `before`, if another is at most as near.
    Merge nearest(std::uint32_t last, std::uint32_t before,
                  const std::vector<std::uint32_t> &left) {
        Merge merge{before, last, std::numeric_limits<float>::infinity()};
        if (before != last) merge.cost = cost(last, before);
        const float *costs = &cost(last, 0);
        for (const std::uint32_t group : left)
            if (costs[group] < merge.cost && group != last) {
                merge.kept = group;
                merge.cost = costs[group];
            }
        return merge;
    }

    /// Computes the costs of merging the new group with others, from those of its parts (Lance and
    /// Williams 1967).
    void update_costs(const Merge &merge, const std::vector<std::uint32_t> &left) {
        const double kept = weights_[merge.kept];
        const double gone = weights_[merge.gone];
        for (const std::uint32_t other : left) {
            if (other == merge.kept) continue;
            const double of_kept = cost(merge.kept, other);
            const double of_gone = cost(merge.gone, other);
            double result = 0;
            if (linkage_ == Linkage::average) {
                result = (kept * of_kept + gone * of_gone) / (kept + gone);
            } else {
                const double weight = weights_[other];
                result = ((kept + weight) * of_kept + (gone + weight) * of_gone -
                          weight * static_cast<double>(merge.cost)) /
                         (kept + gone + weight);
            }
            cost(merge.kept, other) = cost(other, merge.kept) = static_cast<float>(result);
        }
        weights_[merge.kept] += gone;
    }

    Linkage linkage_;
    Observer &observer_;
    std::vector<double> weights_;
    std::vector<float> costs_; ///< of merging two groups: a row for each
};

} // namespace

std::vector<Merge> merge_rows(std::size_t rows, const SquaredDistance &distance,
                              std::span<const double> weights, Linkage linkage,
                              Observer &observer) {
    std::vector<Merge> merges = Chain(rows, distance, weights, linkage, observer).run();
    // A group's parts merged at no higher cost, but for rounding, which swaps equal costs only.
    std::ranges::stable_sort(merges, {}, &Merge::cost);
    return merges;
}

std::vector<Merge> merge_rows(const Descriptors &rows, std::span<const double> weights,
                              Linkage linkage, Observer &observer) {
    const auto distance = [&](std::size_t a, std::size_t b) {
        return squared_distance(rows.row(a), rows.row(b));
    };
    return merge_rows(rows.size(), distance, weights, linkage, observer);
}

std::vector<Merge> merge_rows(const IntegerRows &rows, std::span<const double> weights,
                              Linkage linkage, Observer &observer) {
    std::vector<double> norms(rows.size()); // squared
    for (std::size_t i = 0; i < rows.size(); ++i) norms[i] = product(rows.row(i), rows.row(i));
    const auto distance = [&](std::size_t a, std::size_t b) {
        if (norms[a] == 0 || norms[b] == 0) return norms[a] == norms[b] ? 0.0 : 1.0;
        const double likeness = product(rows.row(a), rows.row(b)) / std::sqrt(norms[a] * norms[b]);
        return std::max(0.0, 2 - 2 * likeness);
    };
    return merge_rows(rows.size(), distance, weights, linkage, observer);
}

std::vector<std::uint32_t> cut(const std::vector<Merge> &merges, std::size_t groups) {
    const std::size_t rows = merges.size() + 1;
    std::vector<std::uint32_t> root(rows);
    std::iota(root.begin(), root.end(), 0U);
    const auto root_of = [&](std::uint32_t row) {
        while (root[row] != row) row = root[row] = root[root[row]];
        return row;
    };
    std::size_t left = rows;
    for (const Merge &merge : merges) {
        if (left <= groups && merge.cost > 0) break;
        root[root_of(merge.gone)] = root_of(merge.kept);
        --left;
    }
    constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> number(rows, none); // of each root
    std::uint32_t numbered = 0;
    std::vector<std::uint32_t> result;
    for (std::uint32_t row = 0; row < rows; ++row) {
        std::uint32_t &own = number[root_of(row)];
        if (own == none) own = numbered++;
        result.push_back(own);
    }
    return result;
}

} // namespace bowhist
