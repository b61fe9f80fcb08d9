#pragma once

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/core/training_state.hpp>
#include <bowhist/core/vocabulary.hpp>
#include <bowhist/team/team.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace bowhist {

/// The start of centroids.
enum class Start {
    sampled, ///< greedy, among 32 random descriptors per word, and fewer of more than 2048 words:
             ///< after some iterations it fits as well
    greedy,  ///< greedy k-means++, among all descriptors
    random   ///< random descriptors
};
inline constexpr std::array starts = {Start::sampled, Start::greedy, Start::random};
/// "sampled", "greedy", "random".
std::string_view name_of(Start start);

struct TrainOptions {
    std::size_t k = 256;    ///< words; 256 is the books' size and fits 64 KiB of constant memory
    std::uint64_t seed = 1; ///< of the start's draws
    int iterations = 25;    ///< upper bound; training stops early when no word moves
    Start start = Start::sampled;
    int restarts = 1; ///< trainings from the seed and the next ones; the best is kept
    std::vector<std::size_t> branches = {}; ///< of train_tree(): a node's children on each level
    const TrainingState *from = nullptr; ///< state to resume: of the same descriptors, k, seed and
                                         ///< start; outlives the training
    /// Gets the state after each iteration, without the descriptors' fingerprint.
    std::function<void(TrainingState &&)> keep = {};
    /// Changes the centroids each time they have moved, the start's excepted.
    std::function<void(Vocabulary &)> adjust = {};
    Team *team = &one_process(); ///< whose members have other rows, in the order of ranks; all
                                 ///< have the same options, but for `keep`
    const DescriptorRows *all = nullptr;   ///< rank 0's of a team: the rows of all members
    std::string_view rows = "descriptors"; ///< what notes call the descriptors

    /// The words of the largest k-means.
    std::size_t words_at_once() const {
        return branches.empty() ? k : *std::ranges::max_element(branches);
    }
};

/// A vocabulary and how it was trained.
struct Training {
    Vocabulary vocabulary;
    std::vector<std::int32_t> words; ///< each training descriptor's word; of a team, this member's
    double inertia = 0;              ///< sum of squared distances to the words' centroids
    int iterations = 0;              ///< how often the centroids moved
    std::uint64_t seed = 0;          ///< of its start
    /// All iterations; the first ones where it resumed a state that lacks some.
    std::vector<Iteration> course = {};
    AssignmentReport report = {};            ///< of all assignments together, of all restarts
    std::optional<VocabularyTree> tree = {}; ///< of train_tree()
};

/// k-means (Lloyd), assigned by any level.
///
/// Sums are exact, so that the result is the same bit for bit whatever the level, device, number of
/// threads or order of summation, and wherever the descriptors lie. An empty word is put on the
/// descriptor farthest from its own. Reports progress as "iterations", and warns where words are
/// equal: there are fewer distinct descriptors than words.
/// @throws Error{Fault::input} when there are fewer descriptors than words
Training train(const DescriptorRows &rows, const TrainOptions &options, const LevelChoice &level,
               Observer &observer);
/// The same for descriptors in memory.
Training train(const Descriptors &descriptors, const TrainOptions &options,
               const LevelChoice &level, Observer &observer);

} // namespace bowhist
