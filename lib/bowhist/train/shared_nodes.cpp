#include <bowhist/train/shared_nodes.hpp>

#include <bowhist/team/records.hpp>

#include <algorithm>
#include <functional>
#include <string>

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

} // namespace bowhist
