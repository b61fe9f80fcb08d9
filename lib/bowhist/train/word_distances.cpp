#include <bowhist/assign/rule.hpp>
#include <bowhist/sums/exact_sum.hpp>
#include <bowhist/train/word_distances.hpp>

#include <algorithm>
#include <cstring>
#include <string>
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

void append(FarRows &found, const Distant &distant) {
    found.distances.push_back(distant.distance);
    found.rows.values.insert(found.rows.values.end(), distant.values.begin(), distant.values.end());
}

/// Distances, then rows.
std::string bytes_of(const FarRows &far) {
    std::string bytes(reinterpret_cast<const char *>(far.distances.data()),
                      far.distances.size() * sizeof(double));
    bytes.append(reinterpret_cast<const char *>(far.rows.values.data()),
                 far.rows.values.size() * sizeof(float));
    return bytes;
}

FarRows far_rows_in(const std::string &bytes, std::size_t dimensions) {
    const std::size_t count = bytes.size() / (sizeof(double) + dimensions * sizeof(float));
    FarRows far{{dimensions, std::vector<float>(count * dimensions)}, std::vector<double>(count)};
    const std::size_t distances = count * sizeof(double);
    std::memcpy(far.distances.data(), bytes.data(), distances);
    std::memcpy(far.rows.values.data(), bytes.data() + distances, bytes.size() - distances);
    return far;
}

/// Squared distances by the rule.
auto distance_to_word(std::span<const std::int32_t> words, const Vocabulary &vocabulary) {
    return [words, &vocabulary](std::size_t row, std::span<const float> values) {
        return squared_distance(values, vocabulary.row(static_cast<std::size_t>(words[row])));
    };
}

} // namespace

double inertia_of(const DescriptorRows &rows, std::span<const std::int32_t> words,
                  const Vocabulary &vocabulary, Team &team) {
    const auto distance = distance_to_word(words, vocabulary);
    ExactSum all = reduce(rows, ExactSum(),
                          [&](ExactSum &sum, std::size_t row, std::span<const float> values) {
                              sum.add(distance(row, values));
                          });
    all.join(team);
    return all.value();
}

FarRows far_rows(const DescriptorRows &rows, std::span<const std::int32_t> words,
                 const Vocabulary &vocabulary, std::size_t count) {
    const auto distance = distance_to_word(words, vocabulary);
    Farthest all = reduce(rows, Farthest(count),
                          [&](Farthest &some, std::size_t row, std::span<const float> values) {
                              some.add(distance(row, values), row, values);
                          });
    FarRows found{{rows.dimensions(), {}}, {}};
    for (const Distant &distant : std::move(all).in_order()) append(found, distant);
    return found;
}

FarRows farthest_of(Team &team, FarRows own, std::size_t count) {
    if (team.size() == 1) return own;
    const std::size_t dimensions = own.rows.dimensions;
    Farthest all(count);
    std::string bytes; // of one member after another
    std::size_t row = 0;
    const auto add = [&] {
        const FarRows some = far_rows_in(bytes, dimensions);
        for (std::size_t i = 0; i < some.distances.size(); ++i)
            all.add(some.distances[i], row++, some.rows.row(i));
        bytes.clear();
    };
    std::size_t from = 0;
    const std::string its = bytes_of(own);
    bytes = its; // rank 0's come first
    team.gather([given = std::size_t{0}, &its]() mutable { return given++ == 0 ? its : ""; },
                [&](std::size_t rank, std::string_view piece) {
                    if (rank != from) add();
                    from = rank;
                    bytes += piece;
                });
    add();
    FarRows found{{dimensions, {}}, {}};
    for (const Distant &distant : std::move(all).in_order()) append(found, distant);
    bytes = bytes_of(found);
    team.broadcast(bytes);
    return far_rows_in(bytes, dimensions);
}

} // namespace bowhist
