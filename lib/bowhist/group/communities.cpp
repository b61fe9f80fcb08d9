#include <bowhist/group/communities.hpp>

#include <bowhist/group/leiden.hpp>

#include <tbb/parallel_for.h>

#include <algorithm>
#include <mutex>
#include <numeric>
#include <vector>

namespace bowhist {

Int128 scaled_modularity(const Graph &graph, std::span<const std::uint32_t> community,
                         const Resolution &resolution) {
    const Gains gains(graph, resolution);
    std::int64_t inside = 0; // each edge twice
    std::vector<std::int64_t> strengths(graph.size(), 0);
    for (std::size_t node = 0; node < graph.size(); ++node) {
        std::int64_t around = 0;
        for (std::size_t place = graph.starts[node]; place < graph.starts[node + 1]; ++place) {
            around += graph.weight(place);
            if (community[graph.targets[place]] == community[node]) inside += graph.weight(place);
        }
        inside += graph.strengths[node] - around; // from the node to itself
        strengths[community[node]] += graph.strengths[node];
    }
    Int128 result = gains.of_weight * inside;
    for (const std::int64_t strength : strengths)
        result -= Int128{strength} * strength * gains.of_strengths;
    return result;
}

double modularity(const Graph &graph, std::span<const std::uint32_t> community,
                  const Resolution &resolution) {
    if (graph.total == 0) return 0;
    const auto total = static_cast<double>(graph.total);
    return static_cast<double>(scaled_modularity(graph, community, resolution)) /
           (total * total * Resolution::one);
}

namespace {

/// How much is tried. One order's best differs from another's by about 0.002, so more orders find
/// better divisions; large graphs vary less, and get less.
struct Effort {
    explicit Effort(std::size_t nodes)
        : orders(std::clamp<std::size_t>(2'000'000 / std::max<std::size_t>(1, nodes), 2, 10)),
          last_iterations(std::clamp<std::size_t>(orders * 5, 10, 50)) {}

    std::size_t orders;
    std::size_t iterations = 6;  ///< of each order, at most
    std::size_t last_iterations; ///< in addition, of the best one
};

struct Division {
    Labels labels;
    Int128 quality = 0;
    std::mt19937_64 engine; ///< draws the orders of further iterations
};

/// One node a community.
Division start(const Graph &graph, const Resolution &resolution, std::size_t order) {
    Division division{Labels(graph.size()), 0, std::mt19937_64(order)};
    std::iota(division.labels.begin(), division.labels.end(), 0U);
    division.quality = scaled_modularity(graph, division.labels, resolution);
    return division;
}

/// Improves a division a number of times, or until modularity no longer gains.
void improve(const Graph &graph, const Resolution &resolution, std::size_t iterations,
             Division &division, const Observer &observer) {
    const LeidenStep step{graph, Gains(graph, resolution), division.engine, observer};
    for (std::size_t i = 0; i < iterations; ++i) {
        Labels better = division.labels;
        improve(step, better);
        const Int128 quality = scaled_modularity(graph, better, resolution);
        if (quality <= division.quality) return;
        division.labels = std::move(better);
        division.quality = quality;
    }
}

} // namespace

Labels communities(const Graph &graph, const Resolution &resolution, Observer &observer) {
    const Effort effort(graph.size());
    std::vector<Division> divisions(effort.orders);
    std::mutex one_at_a_time;
    std::size_t done = 0;
    tbb::parallel_for(std::size_t{0}, effort.orders, [&](std::size_t order) {
        divisions[order] = start(graph, resolution, order);
        improve(graph, resolution, effort.iterations, divisions[order], observer);
        const std::scoped_lock lock(one_at_a_time);
        observer.progress("orders", ++done, effort.orders);
    });
    Division &best = *std::ranges::max_element(divisions, {}, &Division::quality);
    improve(graph, resolution, effort.last_iterations, best, observer);
    renumber(best.labels);
    return std::move(best.labels);
}

Labels quick_communities(const Graph &graph, const Resolution &resolution,
                         const Observer &observer) {
    Division division = start(graph, resolution, 0);
    improve(graph, resolution, 3, division, observer);
    renumber(division.labels);
    return std::move(division.labels);
}

} // namespace bowhist
