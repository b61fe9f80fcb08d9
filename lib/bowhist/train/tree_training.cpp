#include <bowhist/train/tree_training.hpp>

#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/team/records.hpp>
#include <bowhist/train/word_distances.hpp>

#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <functional>
#include <mutex>
#include <numeric>
#include <string>
#include <utility>

namespace bowhist {
namespace {

/// Calls `act` with the trainings of a member, in order.
template <typename Act>
void each_of(std::size_t member, std::span<const std::size_t> owners, std::span<Training> trainings,
             const Act &act) {
    for (std::size_t i = 0; i < owners.size(); ++i)
        if (owners[i] == member) act(trainings[i]);
}

} // namespace

std::vector<std::size_t> owners_of(std::span<const std::size_t> sizes, std::size_t large,
                                   std::size_t members) {
    std::vector<std::size_t> small;
    for (std::size_t node = 0; node < sizes.size(); ++node)
        if (sizes[node] < large) small.push_back(node);
    std::ranges::stable_sort(small, std::greater(), [&](std::size_t node) { return sizes[node]; });
    std::vector<std::size_t> owners(sizes.size(), all_members);
    std::vector<std::size_t> rows(members, 0);
    for (const std::size_t node : small) {
        const auto fewest = std::ranges::min_element(rows);
        owners[node] = static_cast<std::size_t>(fewest - rows.begin());
        *fewest += sizes[node];
    }
    return owners;
}

Training train_by_all(const Descriptors &rows, TrainOptions options, const LevelChoice &level,
                      Observer &observer) {
    Team &team = *options.team;
    if (team.size() == 1) return train(rows, options, level, observer);
    const RowsInMemory all(rows);
    const ShardRange own = share_of(team, rows.size());
    options.all = &all;
    Training training = train(*all.range(own.first, own.size()), options, level, observer);
    std::string words;
    put_all(words, std::span<const std::int32_t>(training.words));
    words = bytes_of_all(team, std::move(words));
    training.words.clear();
    Record record(words);
    for (std::size_t member = 0; member < team.size(); ++member) {
        const auto some = record.take_all<std::vector<std::int32_t>>();
        training.words.insert(training.words.end(), some.begin(), some.end());
    }
    return training;
}

void exchange(Team &team, std::span<const std::size_t> owners, std::span<Training> trainings) {
    if (team.size() == 1) return;
    std::string bytes;
    each_of(team.rank(), owners, trainings, [&](const Training &training) {
        put_all(bytes, std::span<const float>(training.vocabulary.values));
        put_all(bytes, std::span<const std::int32_t>(training.words));
        put(bytes, training.vocabulary.dimensions);
        put(bytes, training.iterations);
    });
    bytes = bytes_of_all(team, std::move(bytes));
    Record record(bytes);
    for (std::size_t member = 0; member < team.size(); ++member)
        each_of(member, owners, trainings, [&](Training &training) {
            training.vocabulary.values = record.take_all<std::vector<float>>();
            training.words = record.take_all<std::vector<std::int32_t>>();
            training.vocabulary.dimensions = record.take<std::size_t>();
            training.iterations = record.take<int>();
        });
}

namespace {

/// Nodes of fewer rows than that take one thread each: a device or all threads would mostly wait.
constexpr std::size_t few_rows = 1 << 16;

/// A child's seed, from its parent's: SplitMix64 (Steele, Lea and Flood 2014).
std::uint64_t seed_of(std::uint64_t parent, std::uint64_t child) {
    std::uint64_t seed = parent + (child + 1) * 0x9E3779B97F4A7C15;
    seed = (seed ^ (seed >> 30U)) * 0xBF58476D1CE4E5B9;
    seed = (seed ^ (seed >> 27U)) * 0x94D049BB133111EB;
    return seed ^ (seed >> 31U);
}

/// Descriptors that lie side by side in the order of the tree.
struct Node {
    std::size_t first;
    std::size_t size;
    std::uint64_t seed;
};

/// The result of a node's training.
struct Division {
    Vocabulary words;               ///< its children
    std::vector<std::size_t> sizes; ///< descriptors of each
    int iterations = 0;
    AssignmentReport report = {};
};

class Growing {
  public:
    Growing(const Descriptors &rows, const TrainOptions &options, const LevelChoice &level,
            Observer &observer)
        : rows_(rows), options_(options), level_(level),
          observer_(observer), nodes_{{0, rows.size(), options.seed}}, order_(rows.size()) {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
    }

    Training run() {
        Training training;
        training.seed = options_.seed;
        VocabularyTree tree;
        for (const std::size_t branches : options_.branches) {
            if (!tree.children.empty()) tree.inner.push_back(std::move(training.vocabulary));
            training.vocabulary = {rows_.dimensions, {}};
            grow(branches, tree.children.emplace_back(), training);
        }
        training.tree = std::move(tree);
        training.words.resize(rows_.size());
        for (std::size_t leaf = 0; leaf < nodes_.size(); ++leaf)
            for (const std::size_t row : rows_of(nodes_[leaf]))
                training.words[row] = static_cast<std::int32_t>(leaf);
        training.inertia = inertia(training);
        return training;
    }

  private:
    double inertia(const Training &training) const {
        const ShardRange own = share_of(*options_.team, rows_.size());
        return inertia_of(*RowsInMemory(rows_).range(own.first, own.size()),
                          std::span(training.words).subspan(own.first, own.size()),
                          training.vocabulary, *options_.team);
    }

    std::span<std::size_t> rows_of(const Node &node) {
        return std::span(order_).subspan(node.first, node.size);
    }

    /// Replaces the nodes by their children.
    void grow(std::size_t branches, std::vector<std::uint32_t> &children, Training &training) {
        const std::vector<Division> divisions = divide_all(branches);
        std::vector<Node> next;
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            const Division &division = divisions[i];
            std::size_t first = nodes_[i].first;
            for (std::size_t child = 0; child < division.sizes.size(); ++child) {
                next.push_back({first, division.sizes[child], seed_of(nodes_[i].seed, child)});
                first += division.sizes[child];
            }
            children.push_back(static_cast<std::uint32_t>(division.sizes.size()));
            training.vocabulary.values.insert(training.vocabulary.values.end(),
                                              division.words.values.begin(),
                                              division.words.values.end());
            training.iterations = std::max(training.iterations, division.iterations);
            training.report.rows += division.report.rows;
            training.report.unproven += division.report.unproven;
            training.report.wall_seconds += division.report.wall_seconds;
        }
        nodes_ = std::move(next);
    }

    std::vector<Division> divide_all(std::size_t branches) {
        const std::vector<Training> trainings = train_all(branches);
        std::vector<Division> divisions(nodes_.size());
        tbb::parallel_for(std::size_t{0}, nodes_.size(),
                          [&](std::size_t i) { divisions[i] = sorted(nodes_[i], trainings[i]); });
        return divisions;
    }

    /// Large nodes one after another on the level, each by all members; then small ones side by
    /// side on the host, each by one member.
    std::vector<Training> train_all(std::size_t branches) {
        Team &team = *options_.team;
        std::vector<std::size_t> sizes;
        for (const Node &node : nodes_) sizes.push_back(node.size);
        const std::vector<std::size_t> owners = owners_of(sizes, few_rows, team.size());
        std::vector<Training> trainings(nodes_.size());
        for (std::size_t i = 0; i < nodes_.size(); ++i)
            if (owners[i] == all_members)
                trainings[i] = train_node(nodes_[i], branches, level_, team);
        AssignOptions one_thread = level_.options;
        one_thread.threads = 1;
        QuietObserver quiet(observer_);
        one_thread.observer = &quiet;
        const LevelChoice host = choice_of(find_level("simd"), nullptr, one_thread);
        tbb::parallel_for(std::size_t{0}, nodes_.size(), [&](std::size_t i) {
            if (owners[i] != team.rank()) return;
            // Isolated: a thread that waits in one training must not begin another.
            tbb::this_task_arena::isolate(
                [&] { trainings[i] = train_node(nodes_[i], branches, host, one_process()); });
        });
        exchange(team, owners, trainings);
        std::size_t of_others = 0;
        for (std::size_t i = 0; i < nodes_.size(); ++i)
            if (owners[i] != all_members && owners[i] != team.rank()) of_others += sizes[i];
        if (of_others > 0) count(of_others);
        return trainings;
    }

    Training train_node(const Node &node, std::size_t branches, const LevelChoice &level,
                        Team &team) {
        QuietObserver quiet(observer_);
        quiet.stop_if_interrupted();
        TrainOptions options = options_;
        options.branches.clear();
        options.k = std::min(branches, node.size);
        options.seed = node.seed;
        options.team = &team;
        const bool is_root = node.size == rows_.size(); // or has all its rows, in their order
        Training training = is_root ? train_by_all(rows_, options, level, quiet)
                                    : train_by_all(copied(node), options, level, quiet);
        count(node.size);
        return training;
    }

    Descriptors copied(const Node &node) {
        Descriptors own{rows_.dimensions, {}};
        own.values.reserve(node.size * rows_.dimensions);
        for (const std::size_t row : rows_of(node)) {
            const auto values = rows_.row(row);
            own.values.insert(own.values.end(), values.begin(), values.end());
        }
        return own;
    }

    /// Orders a node's rows by their words, and leaves out words without rows.
    Division sorted(const Node &node, const Training &training) {
        const Vocabulary &words = training.vocabulary;
        std::vector<std::vector<std::size_t>> of_word(words.size());
        const auto rows = rows_of(node);
        for (std::size_t i = 0; i < rows.size(); ++i)
            of_word[static_cast<std::size_t>(training.words[i])].push_back(rows[i]);
        Division division{.words = {words.dimensions, {}},
                          .sizes = {},
                          .iterations = training.iterations,
                          .report = training.report};
        auto to = rows.begin();
        for (std::size_t word = 0; word < words.size(); ++word) {
            if (of_word[word].empty()) continue;
            to = std::ranges::copy(of_word[word], to).out;
            division.sizes.push_back(of_word[word].size());
            const auto values = words.row(word);
            division.words.values.insert(division.words.values.end(), values.begin(), values.end());
        }
        return division;
    }

    /// Reports progress. A member counts nodes of the others once it has their trainings.
    void count(std::size_t rows) {
        const std::lock_guard lock(mutex_);
        observer_.progress("descriptors", done_ += rows, rows_.size() * options_.branches.size());
    }

    const Descriptors &rows_;
    const TrainOptions &options_;
    const LevelChoice &level_;
    Observer &observer_;
    std::vector<Node> nodes_;        ///< of the last level so far
    std::vector<std::size_t> order_; ///< of rows: those of a node side by side, in input order
    std::mutex mutex_;               ///< guards done_, and the observer's progress
    std::size_t done_ = 0;
};

} // namespace

std::size_t leaves_of(std::span<const std::size_t> branches) {
    return std::accumulate(branches.begin(), branches.end(), std::size_t{1}, std::multiplies());
}

Training train_tree(const Descriptors &rows, const TrainOptions &options, const LevelChoice &level,
                    Observer &observer) {
    const std::size_t leaves = leaves_of(options.branches);
    if (rows.size() < leaves)
        throw Error(Fault::input,
                    fmt::format("{} cannot make {} words; give more of them or a smaller --tree",
                                counted(rows.size(), "descriptor"), leaves));
    const DefaultFloats floats;
    Training training = Growing(rows, options, level, observer).run();
    if (training.vocabulary.size() < leaves)
        observer.note(fmt::format("{} of {} leaves: other nodes have fewer distinct descriptors "
                                  "than children",
                                  training.vocabulary.size(), leaves));
    return training;
}

} // namespace bowhist
