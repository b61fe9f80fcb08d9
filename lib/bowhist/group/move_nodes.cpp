#include <bowhist/group/leiden.hpp>
#include <bowhist/group/surroundings.hpp>

#include <utility>

namespace bowhist {
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

} // namespace bowhist
