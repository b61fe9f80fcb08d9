// Communities against the best of all divisions of small graphs, and against plain properties.
#include <bowhist/core/error.hpp>
#include <bowhist/group/communities.hpp>
#include <bowhist/group/divided.hpp>
#include <bowhist/group/leiden.hpp>

#include <catch2/catch.hpp>
#include <tbb/global_control.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <set>

using namespace bowhist;

namespace {

using Edges = std::set<std::pair<std::uint32_t, std::uint32_t>>; // first < second

Graph graph_of(std::size_t nodes, const Edges &edges) {
    std::vector<std::vector<std::uint32_t>> lists(nodes);
    for (const auto &[a, b] : edges) {
        lists[a].push_back(b);
        lists[b].push_back(a);
    }
    Graph graph;
    for (const auto &list : lists) {
        graph.targets.insert(graph.targets.end(), list.begin(), list.end());
        graph.starts.push_back(graph.targets.size());
        graph.strengths.push_back(static_cast<std::int64_t>(list.size()));
    }
    graph.total = static_cast<std::int64_t>(graph.targets.size());
    return graph;
}

Edges random_edges(std::uint32_t nodes, std::size_t count, unsigned seed) {
    std::mt19937 engine(seed);
    Edges edges;
    while (edges.size() < count) {
        const auto a = static_cast<std::uint32_t>(engine() % nodes);
        const auto b = static_cast<std::uint32_t>(engine() % nodes);
        if (a != b) edges.insert(std::minmax(a, b));
    }
    return edges;
}

/// Cliques of some nodes in a ring, each joined to the next by one edge.
Edges ring_of_cliques(std::uint32_t cliques, std::uint32_t nodes) {
    Edges edges;
    for (std::uint32_t c = 0; c < cliques; ++c) {
        for (std::uint32_t a = 0; a < nodes; ++a)
            for (std::uint32_t b = a + 1; b < nodes; ++b)
                edges.insert({c * nodes + a, c * nodes + b});
        edges.insert(std::minmax(c * nodes, (c + 1) % cliques * nodes + 1));
    }
    return edges;
}

Labels divided(const Graph &graph, Resolution resolution = {}) {
    Observer silent;
    return communities(graph, resolution, silent);
}

/// Newman's definition, in float64.
double by_definition(std::size_t nodes, const Edges &edges, const Labels &labels,
                     double resolution) {
    std::vector<double> degrees(nodes, 0), sums(nodes, 0);
    double inside = 0;
    for (const auto &[a, b] : edges) {
        ++degrees[a];
        ++degrees[b];
        if (labels[a] == labels[b]) inside += 1;
    }
    for (std::size_t node = 0; node < nodes; ++node) sums[labels[node]] += degrees[node];
    const auto all = static_cast<double>(edges.size());
    double expected = 0;
    for (const double sum : sums) expected += sum * sum / (4 * all * all);
    return inside / all - resolution * expected;
}

/// The highest modularity of all divisions.
Int128 best_of_all(const Graph &graph, const Resolution &resolution) {
    Labels labels(graph.size(), 0);
    Int128 best = scaled_modularity(graph, labels, resolution);
    const std::function<void(std::size_t, std::uint32_t)> label_rest = [&](std::size_t node,
                                                                           std::uint32_t used) {
        if (node == graph.size()) {
            best = std::max(best, scaled_modularity(graph, labels, resolution));
            return;
        }
        for (std::uint32_t label = 0; label <= used; ++label) {
            labels[node] = label;
            label_rest(node + 1, std::max(used, label + 1));
        }
    };
    label_rest(0, 0);
    return best;
}

bool connected(const Graph &graph, const Labels &labels) {
    std::vector<bool> reached(graph.size(), false);
    std::set<std::uint32_t> begun;
    for (std::uint32_t start = 0; start < graph.size(); ++start) {
        if (reached[start]) continue;
        if (!begun.insert(labels[start]).second) return false;
        std::vector<std::uint32_t> waiting = {start};
        reached[start] = true;
        while (!waiting.empty()) {
            const std::uint32_t node = waiting.back();
            waiting.pop_back();
            for (const std::uint32_t other : graph.of(node))
                if (!reached[other] && labels[other] == labels[node]) {
                    reached[other] = true;
                    waiting.push_back(other);
                }
        }
    }
    return true;
}

} // namespace

TEST_CASE("communities: cliques in a ring are found, and numbered by their first nodes") {
    const Labels labels = divided(graph_of(40, ring_of_cliques(8, 5)));
    for (std::uint32_t node = 0; node < 40; ++node) CHECK(labels[node] == node / 5);
}

TEST_CASE("communities: of small graphs hardly a division is better") {
    int best = 0;
    for (unsigned seed = 0; seed < 30; ++seed)
        for (const std::int64_t millionths : {500'000L, 1'000'000L, 1'700'000L}) {
            const Graph graph = graph_of(9, random_edges(9, 8 + seed % 9, seed));
            const Int128 found =
                scaled_modularity(graph, divided(graph, {millionths}), {millionths});
            const Int128 most = best_of_all(graph, {millionths});
            const bool possible = found <= most;
            CHECK(possible);
            if (found == most) ++best;
        }
    CHECK(best >= 85); // of 90
}

TEST_CASE("communities: each is connected, whatever the resolution") {
    const Edges edges = random_edges(600, 1500, 5);
    const Graph graph = graph_of(600, edges);
    std::size_t before = 0;
    for (const std::int64_t millionths : {0L, 100'000L, 1'000'000L, 10'000'000L, 4'000'000'000L}) {
        const Labels labels = divided(graph, {millionths});
        CHECK(connected(graph, labels));
        const std::size_t count = std::ranges::max(labels) + 1;
        CHECK(count >= before);
        before = count;
        CHECK(modularity(graph, labels, {millionths}) ==
              Approx(by_definition(600, edges, labels, static_cast<double>(millionths) / 1e6)));
    }
    CHECK(before == 600); // no edge is worth that much
}

TEST_CASE("communities: without edges every node is alone") {
    CHECK(divided(graph_of(3, {})) == Labels{0, 1, 2});
    CHECK(divided(graph_of(0, {})).empty());
    CHECK(divided(graph_of(4, {{1, 3}})) == Labels{0, 1, 2, 1});
    CHECK(modularity(graph_of(3, {}), Labels{0, 1, 2}, {}) == 0);
}

TEST_CASE("communities: they do not depend on the number of threads") {
    const Graph graph = graph_of(2000, random_edges(2000, 9000, 6));
    const Labels expected = divided(graph);
    for (const std::size_t threads : {1UL, 3UL}) {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        CHECK(divided(graph) == expected);
    }
}

TEST_CASE("communities: an interruption stops them") {
    struct Impatient : Observer {
        bool interrupted() const override { return true; }
    } observer;
    CHECK_THROWS_AS(communities(graph_of(4, {{1, 3}}), {}, observer), Error);
}

TEST_CASE("leiden: parts keep the graph's strengths, and modularity where parts are joined") {
    const Graph graph = graph_of(300, random_edges(300, 900, 7));
    Labels parts(300);
    for (std::uint32_t node = 0; node < 300; ++node) parts[node] = node * 7 % 30;
    const std::size_t count = renumber(parts);
    const Graph whole = aggregate(graph, parts, count);
    CHECK(whole.total == graph.total);
    CHECK(std::accumulate(whole.strengths.begin(), whole.strengths.end(), std::int64_t{0}) ==
          graph.total);
    Labels joined(count), flat(300);
    for (std::uint32_t part = 0; part < count; ++part) joined[part] = part % 4;
    for (std::uint32_t node = 0; node < 300; ++node) flat[node] = joined[parts[node]];
    const bool same = scaled_modularity(whole, joined, {}) == scaled_modularity(graph, flat, {});
    CHECK(same);
}

TEST_CASE("leiden: refined parts lie inside their communities and are connected") {
    const Graph graph = graph_of(500, random_edges(500, 1500, 8));
    Observer silent;
    std::mt19937_64 engine(1);
    Labels labels(500);
    for (std::uint32_t node = 0; node < 500; ++node) labels[node] = node % 3;
    const Labels parts = refine({graph, Gains(graph, {}), engine, silent}, labels);
    CHECK(connected(graph, parts));
    for (std::uint32_t node = 0; node < 500; ++node) CHECK(labels[parts[node]] == labels[node]);
    CHECK(std::set(parts.begin(), parts.end()).size() < 400);
}

TEST_CASE("leiden: once nodes have moved, hardly one gains elsewhere or alone") {
    // A node that left changes its community for nodes that it is not joined to, too; these are not
    // looked at again.
    Observer silent;
    int gain = 0; // of 194 400 moves
    for (unsigned seed = 0; seed < 6; ++seed)
        for (const std::int64_t millionths : {1'000'000L, 5'000'000L, 20'000'000L})
            for (const std::uint32_t communities : {1U, 3U, 60U}) {
                const Graph graph = graph_of(60, random_edges(60, 60 + 30 * seed, seed));
                std::mt19937_64 engine(seed);
                Labels labels(60);
                for (std::uint32_t node = 0; node < 60; ++node) labels[node] = node % communities;
                move_nodes({graph, Gains(graph, {millionths}), engine, silent}, labels);
                const Int128 reached = scaled_modularity(graph, labels, {millionths});
                for (std::uint32_t node = 0; node < 60; ++node)
                    for (std::uint32_t label = 0; label < 60; ++label) { // some are unused
                        Labels moved = labels;
                        moved[node] = label;
                        if (scaled_modularity(graph, moved, {millionths}) > reached) ++gain;
                    }
            }
    INFO(gain);
    CHECK(gain < 300);
}

namespace {

/// Refinement by the paper's definition: every number is found anew.
Labels refined_by_definition(const Graph &graph, const Labels &communities, std::uint64_t seed) {
    const Gains gains(graph, {});
    Labels parts(graph.size());
    std::iota(parts.begin(), parts.end(), 0U);
    const auto strength = [&](const auto &belongs) {
        std::int64_t sum = 0;
        for (std::uint32_t node = 0; node < graph.size(); ++node)
            if (belongs(node)) sum += graph.strengths[node];
        return sum;
    };
    const auto between = [&](const auto &in_a, const auto &in_b) {
        std::int64_t sum = 0;
        for (std::uint32_t a = 0; a < graph.size(); ++a)
            for (const std::uint32_t b : graph.of(a)) sum += in_a(a) && in_b(b) ? 1 : 0;
        return sum;
    };
    const auto hangs_together = [&](std::uint32_t part, std::uint32_t community) {
        const auto inside = [&](std::uint32_t node) { return parts[node] == part; };
        const auto rest = [&](std::uint32_t node) {
            return communities[node] == community && parts[node] != part;
        };
        return gains.joining(between(inside, rest), strength(inside), strength(rest)) >= 0;
    };
    std::mt19937_64 engine(seed);
    for (const std::uint32_t node : draw_order(graph.size(), engine)) {
        const std::uint32_t community = communities[node];
        if (std::ranges::count(parts, parts[node]) > 1 || parts[node] != node) continue;
        if (!hangs_together(node, community)) continue;
        Int128 most = -1;
        std::uint32_t best = node;
        for (std::uint32_t part = 0; part < graph.size(); ++part) {
            const auto inside = [&](std::uint32_t other) {
                return parts[other] == part && communities[other] == community;
            };
            const auto own = [&](std::uint32_t other) { return other == node; };
            const std::int64_t weight = between(own, inside);
            if (part == node || weight == 0 || !hangs_together(part, community)) continue;
            const Int128 gain = gains.joining(weight, strength(own), strength(inside));
            if (gain > most && gain >= 0) {
                most = gain;
                best = part;
            }
        }
        parts[node] = best;
    }
    return parts;
}

} // namespace

TEST_CASE("leiden: refined parts are those of the definition") {
    Observer silent;
    for (unsigned seed = 0; seed < 8; ++seed) {
        const Graph graph = graph_of(50, random_edges(50, 90 + 20 * seed, seed));
        Labels labels(50);
        for (std::uint32_t node = 0; node < 50; ++node) labels[node] = node % (1 + seed % 3);
        std::mt19937_64 engine(seed);
        CHECK(refine({graph, Gains(graph, {}), engine, silent}, labels) ==
              refined_by_definition(graph, labels, seed));
    }
}

TEST_CASE("communities: those are merged whose union loses least, of all pairs") {
    Observer silent;
    for (unsigned seed = 0; seed < 8; ++seed) {
        const Graph graph = graph_of(40, random_edges(40, 30 + 15 * seed, seed));
        Labels labels(40);
        for (std::uint32_t node = 0; node < 40; ++node) labels[node] = node % 12;
        for (std::size_t count = 12; count > 1; --count) {
            Int128 most = 0;
            bool first = true;
            for (std::uint32_t a = 0; a < count; ++a)
                for (std::uint32_t b = a + 1; b < count; ++b) {
                    Labels merged = labels;
                    std::ranges::replace(merged, b, a);
                    const Int128 quality = scaled_modularity(graph, merged, {});
                    if (first || quality > most) most = quality;
                    first = false;
                }
            merge_communities(graph, {}, count - 1, labels, silent);
            CHECK(std::set(labels.begin(), labels.end()).size() == count - 1);
            const bool best = scaled_modularity(graph, labels, {}) == most;
            CHECK(best);
        }
    }
}

TEST_CASE("communities: of those that no edge joins the two of least strength are merged") {
    Edges edges; // cliques of 7, 3, 6, 4 and 5 nodes
    std::uint32_t first = 0;
    Labels labels;
    for (const std::uint32_t size : {7U, 3U, 6U, 4U, 5U}) {
        for (std::uint32_t a = 0; a < size; ++a)
            for (std::uint32_t b = a + 1; b < size; ++b) edges.insert({first + a, first + b});
        labels.insert(labels.end(), size, static_cast<std::uint32_t>(std::size(labels)));
        first += size;
    }
    Observer silent;
    merge_communities(graph_of(25, edges), {}, 4, labels, silent);
    CHECK(std::set(labels.begin(), labels.end()).size() == 4);
    CHECK(labels[7] == labels[16]); // 3 and 4
    merge_communities(graph_of(25, edges), {}, 3, labels, silent);
    CHECK(labels[7] == labels[20]); // strengths 6 + 12 and 20
}

TEST_CASE("neighbor graph: an edge for either's neighbor, once, in both lists") {
    Neighbors neighbors;
    neighbors.squared_norms = {1, 1, 1, 0};
    neighbors.all = {{1, 5}, {0, 5}, {0, 4}};
    neighbors.starts = {0, 1, 2, 3, 3};
    const Graph graph = neighbor_graph(neighbors);
    CHECK(graph.starts == std::vector<std::size_t>{0, 2, 3, 4, 4});
    CHECK(graph.targets == std::vector<std::uint32_t>{1, 2, 0, 0});
    CHECK(graph.strengths == std::vector<std::int64_t>{2, 1, 1, 0});
    CHECK(graph.total == 4);
    PartsOfGraph parts(graph);
    CHECK(parts.part(std::vector<std::uint32_t>{1, 2}).total == 0);
    const Graph part = parts.part(std::vector<std::uint32_t>{2, 0, 3});
    CHECK(part.targets == std::vector<std::uint32_t>{1, 0});
    CHECK(part.strengths == std::vector<std::int64_t>{1, 1, 0});
    CHECK(part.total == 2);
}
