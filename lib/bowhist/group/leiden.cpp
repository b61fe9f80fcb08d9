#include <bowhist/group/leiden.hpp>

#include <bowhist/group/surroundings.hpp>
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

namespace {

/// Nodes that wait, each at most once.
class Queue {
  public:
    explicit Queue(std::vector<std::uint32_t> order)
        : nodes_(std::move(order)), waits_(nodes_.size(), 1), waiting_(nodes_.size()) {}

    bool empty() const { return waiting_ == 0; }

    std::uint32_t pop() {
        const std::uint32_t node = nodes_[first_];
        first_ = next(first_);
        --waiting_;
        waits_[node] = 0;
        return node;
    }

    void push(std::uint32_t node) {
        if (waits_[node] != 0) return;
        waits_[node] = 1;
        nodes_[end_] = node;
        end_ = next(end_);
        ++waiting_;
    }

  private:
    std::size_t next(std::size_t place) const { return place + 1 == nodes_.size() ? 0 : place + 1; }

    std::vector<std::uint32_t> nodes_; ///< a ring
    std::vector<std::uint8_t> waits_;  ///< of each node
    std::size_t waiting_;
    std::size_t first_ = 0;
    std::size_t end_ = 0;
};

/// Communities while nodes move.
class Moves {
  public:
    Moves(const LeidenStep &step, Labels &labels)
        : step_(step), labels_(labels), around_(labels.size()), strengths_(labels.size(), 0),
          sizes_(labels.size(), 0) {
        for (std::size_t node = 0; node < labels.size(); ++node) {
            strengths_[labels[node]] += step.graph.strengths[node];
            ++sizes_[labels[node]];
        }
        for (std::size_t label = labels.size(); label-- > 0;)
            if (sizes_[label] == 0) unused_.push_back(static_cast<std::uint32_t>(label));
    }

    /// The community in which a node gains most; of equal ones its own, else the lowest.
    std::uint32_t best(std::uint32_t node) {
        const Graph &graph = step_.graph;
        const std::int64_t strength = graph.strengths[node];
        const std::uint32_t own = labels_[node];
        around_.look(graph, node, labels_, [](std::uint32_t) { return true; });
        std::uint32_t best = own;
        Int128 most =
            step_.gains.joining(around_.weight(own), strength, strengths_[own] - strength);
        for (const std::uint32_t label : around_.seen()) {
            if (label == own) continue;
            const Int128 gain =
                step_.gains.joining(around_.weight(label), strength, strengths_[label]);
            if (gain > most || (gain == most && best != own && label < best)) {
                most = gain;
                best = label;
            }
        }
        if (most < 0 && sizes_[own] > 1) return unused_.back(); // alone it gains 0
        return best;
    }

    void move(std::uint32_t node, std::uint32_t label) {
        const std::uint32_t own = labels_[node];
        if (sizes_[label] == 0) unused_.pop_back();
        strengths_[own] -= step_.graph.strengths[node];
        strengths_[label] += step_.graph.strengths[node];
        if (--sizes_[own] == 0) unused_.push_back(own);
        ++sizes_[label];
        labels_[node] = label;
    }

  private:
    const LeidenStep &step_;
    Labels &labels_;
    Surroundings around_;
    std::vector<std::int64_t> strengths_; ///< of communities
    std::vector<std::uint32_t> sizes_;
    std::vector<std::uint32_t> unused_;
};

} // namespace

void move_nodes(const LeidenStep &step, Labels &labels) {
    Moves moves(step, labels);
    Queue queue(draw_order(labels.size(), step.engine));
    for (std::size_t i = 0; !queue.empty(); ++i) {
        stop_if_interrupted(step.observer, i);
        const std::uint32_t node = queue.pop();
        const std::uint32_t best = moves.best(node);
        if (best == labels[node]) continue;
        moves.move(node, best);
        for (const std::uint32_t neighbor : step.graph.of(node))
            if (labels[neighbor] != best) queue.push(neighbor);
    }
}

namespace {

/// Parts while single nodes join them.
class Parts {
  public:
    Parts(const LeidenStep &step, const Labels &communities)
        : step_(step), communities_(communities), parts_(communities.size()),
          around_(communities.size()), sizes_(communities.size(), 1),
          strengths_(step.graph.strengths), cuts_(communities.size(), 0),
          whole_(communities.size(), 0) {
        std::iota(parts_.begin(), parts_.end(), 0U);
        const Graph &graph = step.graph;
        for (std::size_t node = 0; node < parts_.size(); ++node) {
            whole_[communities[node]] += graph.strengths[node];
            for (std::size_t place = graph.starts[node]; place < graph.starts[node + 1]; ++place)
                if (communities[graph.targets[place]] == communities[node])
                    cuts_[node] += graph.weight(place);
        }
    }

    void join_best(std::uint32_t node) {
        if (sizes_[parts_[node]] > 1 || parts_[node] != node || !hangs_together(node)) return;
        const std::uint32_t community = communities_[node];
        around_.look(step_.graph, node, parts_,
                     [&](std::uint32_t other) { return communities_[other] == community; });
        std::uint32_t best = node;
        Int128 most = 0;
        for (const std::uint32_t part : around_.seen()) {
            const Int128 gain =
                step_.gains.joining(around_.weight(part), strengths_[node], strengths_[part]);
            if (gain < most || (gain == most && (best == node || part > best))) continue;
            if (!hangs_together(part)) continue;
            most = gain;
            best = part;
        }
        if (best != node) join(node, best);
    }

    Labels take() { return std::move(parts_); }

  private:
    /// Whether a part is joined well enough to the rest of its community.
    bool hangs_together(std::uint32_t part) const {
        const std::int64_t rest = whole_[communities_[part]] - strengths_[part];
        return step_.gains.joining(cuts_[part], strengths_[part], rest) >= 0;
    }

    void join(std::uint32_t node, std::uint32_t part) {
        cuts_[part] += cuts_[node] - 2 * around_.weight(part);
        strengths_[part] += strengths_[node];
        ++sizes_[part];
        --sizes_[node];
        parts_[node] = part;
    }

    const LeidenStep &step_;
    const Labels &communities_;
    Labels parts_; ///< each is named by one of its nodes
    Surroundings around_;
    std::vector<std::uint32_t> sizes_;
    std::vector<std::int64_t> strengths_; ///< of parts
    std::vector<std::int64_t> cuts_;  ///< the weights between a part and the rest of its community
    std::vector<std::int64_t> whole_; ///< strengths of communities
};

} // namespace

Labels refine(const LeidenStep &step, const Labels &labels) {
    Parts parts(step, labels);
    std::size_t i = 0;
    for (const std::uint32_t node : draw_order(labels.size(), step.engine)) {
        stop_if_interrupted(step.observer, i++);
        parts.join_best(node);
    }
    return parts.take();
}

} // namespace bowhist
