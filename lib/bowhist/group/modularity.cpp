#include <bowhist/group/modularity.hpp>

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

} // namespace bowhist
