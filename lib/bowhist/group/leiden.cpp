#include <bowhist/group/leiden.hpp>
#include <bowhist/train/sample.hpp>

#include <limits>
#include <numeric>
#include <span>
#include <utility>

namespace bowhist {
namespace {

/// The nodes of each part, part after part.
struct MembersOfParts {
    MembersOfParts(const Labels &parts, std::size_t count) : starts(count + 1, 0) {
        for (const std::uint32_t part : parts) ++starts[part + 1];
        std::partial_sum(starts.begin(), starts.end(), starts.begin());
        nodes.resize(parts.size());
        auto places = starts;
        for (std::size_t node = 0; node < parts.size(); ++node)
            nodes[places[parts[node]]++] = static_cast<std::uint32_t>(node);
    }

    std::span<const std::uint32_t> of(std::size_t part) const {
        return std::span(nodes).subspan(starts[part], starts[part + 1] - starts[part]);
    }

    std::vector<std::size_t> starts; ///< where each part's begin
    std::vector<std::uint32_t> nodes;
};

} // namespace

std::vector<std::uint32_t> draw_order(std::size_t count, std::mt19937_64 &engine) {
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0U);
    for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[draw_below(engine, i)]);
    return order;
}

std::size_t renumber(Labels &labels) {
    constexpr std::uint32_t unseen = std::numeric_limits<std::uint32_t>::max();
    Labels numbers(labels.size(), unseen);
    std::uint32_t next = 0;
    for (std::uint32_t &label : labels) {
        if (numbers[label] == unseen) numbers[label] = next++;
        label = numbers[label];
    }
    return next;
}

Graph aggregate(const Graph &graph, const Labels &parts, std::size_t count) {
    const MembersOfParts members(parts, count);
    Graph whole;
    whole.total = graph.total;
    std::vector<std::size_t> place_of(count, 0); // of a target in the list that is being made
    for (std::size_t part = 0; part < count; ++part) {
        std::int64_t strength = 0;
        const std::size_t start = whole.targets.size();
        for (const std::uint32_t node : members.of(part)) {
            strength += graph.strengths[node];
            for (std::size_t place = graph.starts[node]; place < graph.starts[node + 1]; ++place) {
                const std::uint32_t target = parts[graph.targets[place]];
                if (target == part) continue;
                std::size_t &there = place_of[target];
                if (there < start || there >= whole.targets.size() ||
                    whole.targets[there] != target) {
                    there = whole.targets.size();
                    whole.targets.push_back(target);
                    whole.weights.push_back(0);
                }
                whole.weights[there] += graph.weight(place);
            }
        }
        whole.starts.push_back(whole.targets.size());
        whole.strengths.push_back(strength);
    }
    return whole;
}

void improve(const LeidenStep &step, Labels &labels) {
    renumber(labels);
    Labels node_of(labels.size()); // of the graph at hand, for each node of the first
    std::iota(node_of.begin(), node_of.end(), 0U);
    Graph own;
    const Graph *graph = &step.graph;
    Labels communities = labels;
    while (true) {
        const LeidenStep here{*graph, step.gains, step.engine, step.observer};
        move_nodes(here, communities);
        const std::size_t found = renumber(communities);
        if (found == graph->size()) break;
        Labels parts = refine(here, communities);
        std::size_t count = renumber(parts);
        if (count == graph->size()) { // nothing was refined
            parts = communities;
            count = found;
        }
        Labels next(count);
        for (std::size_t node = 0; node < parts.size(); ++node)
            next[parts[node]] = communities[node];
        Graph whole = aggregate(*graph, parts, count);
        own = std::move(whole);
        graph = &own;
        communities = std::move(next);
        for (std::uint32_t &node : node_of) node = parts[node];
    }
    for (std::size_t node = 0; node < labels.size(); ++node)
        labels[node] = communities[node_of[node]];
    renumber(labels);
}

} // namespace bowhist
