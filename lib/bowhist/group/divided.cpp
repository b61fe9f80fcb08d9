#include <bowhist/group/divided.hpp>
#include <bowhist/group/leiden.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bowhist {
namespace {

constexpr std::size_t most_trials = 24;

std::size_t count_of(const Labels &labels) {
    return labels.empty() ? 0 : std::size_t{std::ranges::max(labels)} + 1;
}

std::size_t apart(std::size_t a, std::size_t b) {
    return a < b ? b - a : a - b;
}

/// Looks for the resolution that gives a number of communities.
class Search {
  public:
    Search(const Graph &graph, std::size_t groups, Observer &observer)
        : graph_(graph), groups_(groups), observer_(observer) {}

    Resolution run() {
        std::int64_t low = 0; // gives too few
        std::int64_t high = Resolution::most;
        std::int64_t at = Resolution::one;
        for (std::size_t trial = 0; trial < most_trials; ++trial) {
            const std::size_t found = try_at(at);
            observer_.progress("resolutions", trial + 1, most_trials);
            if (found == groups_) break;
            (found < groups_ ? low : high) = at;
            if (high - low <= 1) break;
            at = between(low, high);
        }
        return best_;
    }

  private:
    /// Doubles or halves until both ends are known, then takes the geometric middle.
    static std::int64_t between(std::int64_t low, std::int64_t high) {
        if (high == Resolution::most) return std::min(low * 4, (low + high) / 2);
        if (low == 0) return high / 4;
        const auto middle = static_cast<std::int64_t>(
            std::sqrt(static_cast<double>(low) * static_cast<double>(high)));
        return std::clamp(middle, low + 1, high - 1);
    }

    std::size_t try_at(std::int64_t millionths) {
        const std::size_t found = count_of(quick_communities(graph_, {millionths}, observer_));
        if (best_found_ == 0 || apart(found, groups_) < apart(best_found_, groups_)) {
            best_found_ = found;
            best_ = {millionths};
        }
        return found;
    }

    const Graph &graph_;
    std::size_t groups_;
    Observer &observer_;
    Resolution best_;
    std::size_t best_found_ = 0;
};

struct Pair {
    std::uint32_t first;
    std::uint32_t second;
};

/// The two communities whose union loses least modularity, of equal ones the lowest: of those that
/// edges join, or the two of the least strengths.
Pair best_pair(const Graph &whole, const Gains &gains) {
    std::vector<std::uint32_t> order(whole.size());
    std::iota(order.begin(), order.end(), 0U);
    std::partial_sort(order.begin(), order.begin() + 2, order.end(),
                      [&](std::uint32_t a, std::uint32_t b) {
                          const auto &strengths = whole.strengths;
                          return strengths[a] != strengths[b] ? strengths[a] < strengths[b] : a < b;
                      });
    Pair best{std::min(order[0], order[1]), std::max(order[0], order[1])};
    Int128 most = gains.joining(0, whole.strengths[order[0]], whole.strengths[order[1]]);
    for (std::uint32_t a = 0; a < whole.size(); ++a)
        for (std::size_t place = whole.starts[a]; place < whole.starts[a + 1]; ++place) {
            const std::uint32_t b = whole.targets[place];
            if (b < a) continue;
            const Int128 gain =
                gains.joining(whole.weights[place], whole.strengths[a], whole.strengths[b]);
            if (gain > most ||
                (gain == most && (a < best.first || (a == best.first && b < best.second)))) {
                most = gain;
                best = {a, b};
            }
        }
    return best;
}

/// Communities of a part on its own: at least two.
Labels divide_part(const Graph &part, Observer &observer) {
    Labels labels;
    for (std::int64_t millionths = Resolution::one; millionths <= Resolution::most / 4;
         millionths *= 4) {
        labels = quick_communities(part, {millionths}, observer);
        if (count_of(labels) > 1) return labels;
    }
    std::iota(labels.begin(), labels.end(), 0U);
    return labels;
}

/// Divides the largest community until there are `groups`.
void split(const Graph &graph, std::size_t groups, Labels &labels, Observer &observer) {
    PartsOfGraph parts_of_graph(graph);
    for (std::size_t count = renumber(labels); count < groups;) {
        std::vector<std::vector<std::uint32_t>> members(count);
        for (std::uint32_t node = 0; node < labels.size(); ++node)
            members[labels[node]].push_back(node);
        const auto &largest =
            *std::ranges::max_element(members, {}, [](const auto &nodes) { return nodes.size(); });
        const Graph part = parts_of_graph.part(largest);
        Labels parts = divide_part(part, observer);
        merge_communities(part, {}, groups - count + 1, parts, observer);
        for (std::size_t i = 0; i < largest.size(); ++i)
            if (parts[i] > 0) labels[largest[i]] = static_cast<std::uint32_t>(count) + parts[i] - 1;
        count += count_of(parts) - 1;
    }
}

} // namespace

void merge_communities(const Graph &graph, const Resolution &resolution, std::size_t groups,
                       Labels &labels, const Observer &observer) {
    std::size_t count = renumber(labels);
    if (count <= groups) return;
    const Gains gains(graph, resolution);
    Graph whole = aggregate(graph, labels, count);
    for (; count > groups; --count) {
        observer.stop_if_interrupted();
        const Pair pair = best_pair(whole, gains);
        Labels parts(count); // the second becomes the first
        for (std::uint32_t i = 0; i < count; ++i)
            parts[i] = i == pair.second ? pair.first : i - (i > pair.second ? 1 : 0);
        whole = aggregate(whole, parts, count - 1);
        for (std::uint32_t &label : labels) label = parts[label];
    }
}

DividedGraph divide_into(const Graph &graph, std::size_t groups, Observer &observer) {
    DividedGraph divided;
    divided.resolution = Search(graph, groups, observer).run();
    divided.labels = communities(graph, divided.resolution, observer);
    merge_communities(graph, divided.resolution, groups, divided.labels, observer);
    split(graph, groups, divided.labels, observer);
    renumber(divided.labels);
    return divided;
}

} // namespace bowhist
