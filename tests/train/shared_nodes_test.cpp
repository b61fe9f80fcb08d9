// A team trains the tree that one process trains.
#include "tests/support/descriptors.hpp"
#include "tests/support/levels.hpp"

#include <bowhist/core/default_floats.hpp>
#include <bowhist/team/thread_team.hpp>
#include <bowhist/train/tree_training.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <string_view>
#include <thread>
#include <vector>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// Where a training says that it is.
struct Progress : Observer {
    void progress(std::string_view stage, std::size_t now, std::size_t of) override {
        grows = grows && stage == "descriptors" && now > done;
        done = now;
        total = of;
    }
    bool grows = true; ///< checked later: Catch takes one thread at a time
    std::size_t done = 0;
    std::size_t total = 0;
};

/// By each member of a team.
std::vector<Training> grown_by(std::size_t members, const Descriptors &rows,
                               const TrainOptions &options) {
    ThreadTeam team(members);
    std::vector<Training> trainings(members);
    std::vector<Progress> courses(members);
    std::vector<std::thread> threads;
    for (std::size_t rank = 0; rank < members; ++rank)
        threads.emplace_back([&, rank] {
            const DefaultFloats floats;
            TrainOptions own = options;
            own.team = &team.member(rank);
            trainings[rank] =
                train_tree(rows, own, choice_of(find_level("simd"), nullptr), courses[rank]);
        });
    for (std::thread &thread : threads) thread.join();
    for (const Progress &course : courses) {
        CHECK(course.grows);
        CHECK(course.done == rows.size() * options.branches.size());
        CHECK(course.total == course.done);
    }
    return trainings;
}

} // namespace

TEST_CASE("shared nodes: each member of a team gets the tree of one process") {
    const Descriptors many = random_descriptors(140'000, 4, 6); // two large nodes on level 2
    const Descriptors few = random_descriptors(40, 4, 7);
    for (const Descriptors *rows : {&many, &few}) {
        const TrainOptions options{.iterations = 4, .restarts = 2, .branches = {2, 3, 2}};
        const Training expected = grown_by(1, *rows, options).front();
        for (const std::size_t members : {2U, 3U, 7U})
            for (const Training &training : grown_by(members, *rows, options)) {
                CHECK(training.vocabulary.values == expected.vocabulary.values);
                CHECK(training.words == expected.words);
                CHECK(training.inertia == expected.inertia);
                CHECK(training.iterations == expected.iterations);
                CHECK(training.tree->children == expected.tree->children);
                for (std::size_t level = 0; level < 2; ++level)
                    CHECK(training.tree->inner[level].values == expected.tree->inner[level].values);
            }
    }
}

TEST_CASE("shared nodes: each small node has one member, and they have about as many rows") {
    const std::vector<std::size_t> sizes{50, 900, 30, 20, 40, 1000, 0, 10};
    CHECK(owners_of(sizes, 900, 1) ==
          std::vector<std::size_t>{0, all_members, 0, 0, 0, all_members, 0, 0});
    for (std::size_t members = 1; members < 10; ++members) {
        const std::vector<std::size_t> owners = owners_of(sizes, 900, members);
        std::vector<std::size_t> rows(members, 0);
        for (std::size_t node = 0; node < sizes.size(); ++node) {
            CHECK((owners[node] == all_members) == (sizes[node] >= 900));
            if (owners[node] != all_members) rows.at(owners[node]) += sizes[node];
        }
        const auto [fewest, most] = std::ranges::minmax(rows);
        CHECK(most - fewest <= 50);
    }
}
