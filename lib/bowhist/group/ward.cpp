#include <bowhist/group/ward.hpp>

#include <bowhist/assign/rule.hpp>
#include <bowhist/core/default_floats.hpp>

#include <algorithm>
#include <limits>
#include <numeric>

namespace bowhist {
namespace {

/// Two groups become one. Each is named by one of its rows.
struct Merge {
    std::size_t kept;
    std::size_t gone;
    double cost; ///< what it adds to the sum of squared distances
};

/// Finds all merges by a chain of nearest neighbors (Murtagh, "A survey of recent advances in
/// hierarchical clustering algorithms", 1983): from group to nearest group, until two are each
/// other's nearest. Those merge sooner or later, so they may do so at once.
class Chain {
  public:
    Chain(const Descriptors &rows, std::span<const double> weights, Observer &observer)
        : observer_(observer), weights_(weights.begin(), weights.end()),
          costs_(rows.size() * rows.size()) {
        constexpr std::size_t at_once = 32; // rows between two looks for an interruption
        for (std::size_t first = 0; first < rows.size(); first += at_once) {
            observer_.stop_if_interrupted();
            const std::size_t end = std::min(first + at_once, rows.size());
#pragma omp parallel for schedule(dynamic)
            for (std::size_t a = first; a < end; ++a) {
                const DefaultFloats floats;
                for (std::size_t b = 0; b < a; ++b) {
                    const double weight = weights_[a] * weights_[b] / (weights_[a] + weights_[b]);
                    cost(a, b) = weight * squared_distance(rows.row(a), rows.row(b));
                    cost(b, a) = cost(a, b);
                }
            }
            observer_.progress("distances", end * (end - 1) / 2,
                               rows.size() * (rows.size() - 1) / 2);
        }
    }

    std::vector<Merge> run() {
        const DefaultFloats floats;
        std::vector<std::size_t> left(weights_.size());
        std::iota(left.begin(), left.end(), std::size_t{0});
        std::vector<Merge> merges;
        std::vector<std::size_t> chain;
        while (left.size() > 1) {
            if (chain.empty()) chain.push_back(left.front());
            const std::size_t last = chain.back();
            const bool has_before = chain.size() > 1;
            // of equally near groups the one before, or the chain would go in circles
            std::size_t nearest = has_before ? chain[chain.size() - 2] : last;
            double least =
                has_before ? cost(last, nearest) : std::numeric_limits<double>::infinity();
            for (const std::size_t group : left)
                if (group != last && cost(last, group) < least) {
                    nearest = group;
                    least = cost(last, group);
                }
            if (!has_before || nearest != chain[chain.size() - 2]) {
                chain.push_back(nearest);
                continue;
            }
            chain.resize(chain.size() - 2);
            std::erase(left, last);
            merges.push_back({nearest, last, least});
            update_costs(merges.back(), left);
            observer_.stop_if_interrupted();
        }
        return merges;
    }

  private:
    double &cost(std::size_t a, std::size_t b) {
        return costs_[a * weights_.size() + b];
    }

    /// Of merging the new group with others, from those of its parts (Lance and Williams 1967).
    void update_costs(const Merge &merge, const std::vector<std::size_t> &left) {
        const double kept = weights_[merge.kept];
        const double gone = weights_[merge.gone];
        for (const std::size_t other : left) {
            if (other == merge.kept) continue;
            const double weight = weights_[other];
            cost(merge.kept, other) = cost(other, merge.kept) =
                ((kept + weight) * cost(merge.kept, other) +
                 (gone + weight) * cost(merge.gone, other) - weight * merge.cost) /
                (kept + gone + weight);
        }
        weights_[merge.kept] += gone;
    }

    Observer &observer_;
    std::vector<double> weights_;
    std::vector<double> costs_; ///< of merging two groups: a row for each
};

} // namespace

std::vector<std::size_t> ward(const Descriptors &rows, std::span<const double> weights,
                              std::size_t groups, Observer &observer) {
    std::vector<Merge> merges = Chain(rows, weights, observer).run();
    // A group's parts merged at no higher cost, but for rounding, which swaps equal costs only.
    std::ranges::stable_sort(merges, {}, &Merge::cost);
    std::vector<std::size_t> root(rows.size());
    std::iota(root.begin(), root.end(), std::size_t{0});
    const auto root_of = [&](std::size_t row) {
        while (root[row] != row) row = root[row];
        return row;
    };
    std::size_t left = rows.size();
    for (const Merge &merge : merges) {
        if (left <= groups && merge.cost > 0) break;
        root[root_of(merge.gone)] = root_of(merge.kept);
        --left;
    }
    std::vector<std::size_t> number(rows.size(), rows.size()); // of each root
    std::size_t numbered = 0;
    std::vector<std::size_t> result;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        std::size_t &own = number[root_of(row)];
        if (own == rows.size()) own = numbered++;
        result.push_back(own);
    }
    return result;
}

} // namespace bowhist
