// Communities against the best of all divisions of small graphs, and against plain properties.
#include "tests/group/graphs.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/group/communities.hpp>
#include <bowhist/group/divided.hpp>

#include <catch2/catch.hpp>
#include <tbb/global_control.h>

#include <functional>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

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
