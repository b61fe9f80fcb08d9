#include <bowhist/assign/rule.hpp>
#include <bowhist/sums/exact_sum.hpp>
#include <bowhist/sums/reduction.hpp>
#include <bowhist/train/word_distances.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace bowhist {
namespace {

struct Distant {
    double distance;
    std::size_t row;
    std::vector<float> values;
};

struct FartherFirst {
    bool operator()(const Distant &a, const Distant &b) const {
        return a.distance != b.distance ? a.distance > b.distance : a.row < b.row;
    }
};

/// Keeps the first descriptors in that order.
class Farthest {
  public:
    explicit Farthest(std::size_t most) : most_(most) {}

    void add(double distance, std::size_t row, std::span<const float> values) {
        if (kept_.size() == most_) {
            if (!FartherFirst()({distance, row, {}}, kept_.front())) return;
            std::ranges::pop_heap(kept_, FartherFirst());
            kept_.pop_back();
        }
        kept_.push_back({distance, row, {values.begin(), values.end()}});
        std::ranges::push_heap(kept_, FartherFirst());
    }

    void join(const Farthest &others) {
        for (const Distant &other : others.kept_) add(other.distance, other.row, other.values);
    }

    std::vector<Distant> in_order() && {
        std::ranges::sort_heap(kept_, FartherFirst());
        return std::move(kept_);
    }

  private:
    std::size_t most_;
    std::vector<Distant> kept_; ///< a heap, the last one in front
};

/// By the rule.
auto distance_to_word(std::span<const std::int32_t> words, const Vocabulary &vocabulary) {
    return [words, &vocabulary](std::size_t row, std::span<const float> values) {
        return squared_distance(values, vocabulary.row(static_cast<std::size_t>(words[row])));
    };
}

} // namespace

double inertia_of(const DescriptorRows &rows, std::span<const std::int32_t> words,
                  const Vocabulary &vocabulary) {
    const auto distance = distance_to_word(words, vocabulary);
    return reduce(rows, ExactSum(),
                  [&](ExactSum &sum, std::size_t row, std::span<const float> values) {
                      sum.add(distance(row, values));
                  })
        .value();
}

Descriptors farthest(const DescriptorRows &rows, std::span<const std::int32_t> words,
                     const Vocabulary &vocabulary, std::size_t count) {
    const auto distance = distance_to_word(words, vocabulary);
    Farthest all = reduce(rows, Farthest(count),
                          [&](Farthest &some, std::size_t row, std::span<const float> values) {
                              some.add(distance(row, values), row, values);
                          });
    Descriptors found{rows.dimensions(), {}};
    for (const Distant &distant : std::move(all).in_order())
        found.values.insert(found.values.end(), distant.values.begin(), distant.values.end());
    return found;
}

} // namespace bowhist
