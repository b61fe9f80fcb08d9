#include <bowhist/group/leiden.hpp>
#include <bowhist/group/surroundings.hpp>

#include <numeric>
#include <utility>

namespace bowhist {
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
