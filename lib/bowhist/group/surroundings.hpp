#pragma once

#include <bowhist/group/leiden.hpp>

#include <algorithm>

namespace bowhist {

/// The weights between a node and the communities around it.
class Surroundings {
  public:
    explicit Surroundings(std::size_t communities) : weights_(communities, -1) {}

    /// @param counts  whether a neighbor does
    template <class Counts>
    void look(const Graph &graph, std::size_t node, const Labels &labels, Counts &&counts) {
        for (const std::uint32_t label : seen_) weights_[label] = -1;
        seen_.clear();
        for (std::size_t place = graph.starts[node]; place < graph.starts[node + 1]; ++place) {
            const std::uint32_t neighbor = graph.targets[place];
            if (!counts(neighbor)) continue;
            std::int64_t &weight = weights_[labels[neighbor]];
            if (weight < 0) {
                weight = 0;
                seen_.push_back(labels[neighbor]);
            }
            weight += graph.weight(place);
        }
    }

    const std::vector<std::uint32_t> &seen() const { return seen_; }
    std::int64_t weight(std::uint32_t label) const {
        return std::max<std::int64_t>(0, weights_[label]);
    }

  private:
    std::vector<std::int64_t> weights_; ///< of each community; -1: not seen
    std::vector<std::uint32_t> seen_;
};

/// Now and then.
inline void stop_if_interrupted(const Observer &observer, std::size_t step) {
    if (step % 4096 == 0) observer.stop_if_interrupted();
}

} // namespace bowhist
