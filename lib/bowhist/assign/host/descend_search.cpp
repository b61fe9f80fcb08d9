// Built with -ffp-contract=off (lib/CMakeLists.txt): distances are the rule's, to the last bit. A
// lane of a vector is a child of a node, so each distance is added up in the rule's order.
#include <bowhist/assign/host/descend_search.hpp>

#include <bowhist/assign/host/host_assigner.hpp>
#include <bowhist/core/cpu_clones.hpp>
#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/round_up.hpp>

#include <array>
#include <cstring>
#include <limits>

namespace bowhist {
namespace {

constexpr std::size_t lanes = 8;
using Doubles = double __attribute__((vector_size(lanes * sizeof(double))));
/// Children that are compared at once: four sums hide the time that an addition takes.
constexpr std::size_t block = 4 * lanes;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// The squared distances from x to the children of a block.
/// @param children  [dimension][child]
BOWHIST_FOR_EACH_CPU
void measure_block(const float *x, const double *children, std::size_t dimensions,
                   double *distances) {
    std::array<Doubles, block / lanes> sums{};
    for (std::size_t i = 0; i < dimensions; ++i, children += block) {
        const Doubles value = Doubles{} + static_cast<double>(x[i]);
        for (std::size_t v = 0; v < sums.size(); ++v) {
            Doubles centroids;
            std::memcpy(&centroids, children + v * lanes, sizeof centroids);
            const Doubles difference = value - centroids;
            const Doubles square = difference * difference;
            sums[v] = sums[v] + square;
        }
    }
    std::memcpy(distances, sums.data(), sizeof sums);
}

/// The nodes of a level below the root, packed by parents: each parent's children in blocks of
/// their own. Places left over in the last block are measured but never compared.
class PackedLevel {
  public:
    PackedLevel(const std::vector<std::uint32_t> &children, const Vocabulary &nodes)
        : dimensions_(nodes.dimensions) {
        std::size_t blocks = 0;
        std::uint32_t first = 0;
        for (const std::uint32_t count : children) {
            parents_.push_back({first, count, blocks});
            first += count;
            blocks += divided_up(count, block);
        }
        values_.resize(blocks * block * dimensions_);
        for (const Parent &parent : parents_)
            for (std::size_t child = 0; child < parent.count; ++child)
                put(parent, child, nodes.row(parent.first + child));
    }

    /// The nearest child of a node; of equal ones the first. Row with NaN or infinity: the first.
    std::uint32_t nearest_child(const float *x, std::uint32_t node) const {
        const Parent &parent = parents_[node];
        std::uint32_t winner = 0;
        double best = infinity;
        for (std::uint32_t first = 0; first < parent.count; first += block) {
            std::array<double, block> distances;
            measure_block(x, values_.data() + (parent.block + first / block) * block * dimensions_,
                          dimensions_, distances.data());
            const auto count = std::min<std::uint32_t>(block, parent.count - first);
            for (std::uint32_t child = 0; child < count; ++child)
                if (distances[child] < best) {
                    best = distances[child];
                    winner = first + child;
                }
        }
        return parent.first + winner;
    }

  private:
    struct Parent {
        std::uint32_t first; ///< of its children, among the nodes of this level
        std::uint32_t count;
        std::size_t block; ///< its first
    };

    void put(const Parent &parent, std::size_t child, std::span<const float> values) {
        double *to =
            values_.data() + (parent.block + child / block) * block * dimensions_ + child % block;
        for (const float value : values) {
            *to = value;
            to += block;
        }
    }

    std::size_t dimensions_;
    std::vector<Parent> parents_;
    std::vector<double> values_; ///< [block][dimension][child]; float64, since widening vectors of
                                 ///< float32 takes longer than the distance itself
};

std::vector<PackedLevel> packed(const VocabularyTree &tree, const Vocabulary &words) {
    std::vector<PackedLevel> levels;
    for (std::size_t level = 0; level < tree.depth(); ++level)
        levels.emplace_back(tree.children[level],
                            level + 1 < tree.depth() ? tree.inner[level] : words);
    return levels;
}

HostSearch make_descent(const VocabularyTree &tree, const Vocabulary &words, int most_threads) {
    constexpr std::size_t comparisons_a_slice = std::size_t{1} << 24;
    const auto search = [levels = packed(tree, words), dimensions = words.dimensions](
                            std::span<const float> values, std::span<std::int32_t> found,
                            int threads) {
        const auto rows = static_cast<std::ptrdiff_t>(found.size());
#pragma omp parallel num_threads(threads)
        {
            const DefaultFloats floats; // of this thread
#pragma omp for schedule(static)
            for (std::ptrdiff_t r = 0; r < rows; ++r) {
                const auto row = static_cast<std::size_t>(r);
                std::uint32_t node = 0;
                for (const PackedLevel &level : levels)
                    node = level.nearest_child(values.data() + row * dimensions, node);
                found[row] = static_cast<std::int32_t>(node);
            }
        }
        return std::uint64_t{0};
    };
    return {search, rows_for(comparisons_a_slice, 1, nodes_met(tree), most_threads)};
}

} // namespace

std::size_t nodes_met(const VocabularyTree &tree) {
    std::size_t met = 0;
    for (const auto &children : tree.children) met += std::ranges::max(children);
    return met;
}

const Level &descending_level() {
    static const Level level = [] {
        Level made;
        made.id = "descend";
        made.idea = "down a vocabulary tree, to the nearest child at each level";
        made.obstacle = [](const Device *, std::size_t, std::size_t) { return std::nullopt; };
        made.prepare = [](const std::shared_ptr<Device> &, const Vocabulary &vocabulary,
                          const AssignOptions &options) {
            const auto make = [tree = options.tree](const Vocabulary &words, int threads, double) {
                return make_descent(*tree, words, threads);
            };
            return std::make_unique<HostAssigner>(make, vocabulary, options);
        };
        return made;
    }();
    return level;
}

} // namespace bowhist
