// A training whose descriptors several devices share: words, sums and centroids are the host's.
#include "tests/support/descriptors.hpp"
#include "tests/support/listener.hpp"
#include "tests/support/parted_rows.hpp"
#include "tests/support/shared_devices.hpp"
#include "tests/train/three_runs.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/team/thread_team.hpp>
#include <bowhist/train/joined_totals.hpp>
#include <bowhist/train/kmeans.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <latch>
#include <stdexcept>
#include <thread>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// Where an empty word makes the training look for the farthest descriptors.
Vocabulary with_empty_word(std::size_t k, std::size_t dimensions) {
    Vocabulary vocabulary = random_vocabulary(k, dimensions, 4);
    std::fill_n(vocabulary.values.begin(), dimensions, 100.0F);
    return vocabulary;
}

Found shared_runs(const LevelChoice &choice, const DescriptorRows &rows,
                  const Vocabulary &vocabulary, Observer &observer, bool anywhere) {
    return runs(*make_word_search(rows, choice, vocabulary, observer, anywhere), rows,
                vocabulary.size());
}

/// Numbers of 64 bits, some of them negative, with carries from their lower halves.
std::vector<std::uint64_t> multiples(std::size_t count, std::uint64_t first) {
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t i = 0; i < count; ++i) numbers.push_back((first + i) * 0x9E3779B97F4A7C15);
    return numbers;
}

} // namespace

TEST_CASE("shared training: runs find what the host finds, also where a device fails") {
    const Descriptors rows = random_descriptors(7000, 16, 3);
    const Vocabulary vocabulary = with_empty_word(13, 16);
    const Found expected = runs(on_host, rows, vocabulary);
    for (const bool anywhere : {true, false}) // rows stay on the devices; the host adds up
        for (const std::size_t fails : {0, 1, 5, 14, 20, 60}) {
            INFO((anywhere ? "on devices" : "sums on the host")
                 << ", one fails at launch " << fails << " of its work");
            Listener observer;
            const LevelChoice choice = shared_by(3, fails, observer);
            CHECK(shared_runs(choice, RowsInMemory(rows), vocabulary, observer, anywhere) ==
                  expected);
            CHECK(observer.warnings.size() == (last_one_failed(choice) ? 1 : 0));
            if (fails == 1) CHECK(observer.warnings.size() == 1);
        }
}

TEST_CASE("shared training: what devices say comes in their order") {
    Listener observer;
    SpeakingLevel level(3, observer);
    const Descriptors rows = random_descriptors(600, 8, 3);
    shared_runs(level.choice(), RowsInMemory(rows), random_vocabulary(5, 8, 4), observer, true);
    CHECK(observer.warnings.size() >= 3);
    CHECK(observer.warnings.back() == "device 2");
    CHECK(std::ranges::is_sorted(observer.warnings));
    CHECK(observer.notes == observer.warnings);
}

TEST_CASE("shared training: where rows lie in parts, and where shares are small") {
    for (const std::size_t count : {std::size_t{13}, std::size_t{100}, std::size_t{5000}}) {
        const Descriptors rows = random_descriptors(count, 8, 3);
        const Vocabulary vocabulary = random_vocabulary(5, 8, 4);
        Observer silent;
        const Found expected = runs(on_host, rows, vocabulary);
        CHECK(shared_runs(shared_by(3, 0, silent), PartedRows(rows, 900), vocabulary, silent,
                          true) == expected);
    }
}

// Oclgrind runs kernels of one thread at a time: the other member has no device.
TEST_CASE("shared training: a device adds another member's sums", "[oclgrind][add_words.cl]") {
    constexpr std::size_t k = 5, dimensions = 8;
    const Descriptors rows = random_descriptors(40, dimensions, 3);
    const CentroidSums all(RowsInMemory(rows), k);
    ThreadTeam team(2);
    const std::vector<std::uint64_t> here = multiples(k * dimensions, 1);
    const std::vector<std::uint64_t> there = multiples(k * dimensions, 100);
    const std::vector<std::uint32_t> counted{3, 0, 7, 1, 9};
    std::jthread other([&] { all.share(20, team, 1).exchange({there, counted}); });
    const auto *halves = reinterpret_cast<const cl_uint *>(here.data());
    Device &device = *shared_device();
    const auto sums = uploaded(device, std::vector<cl_uint>(halves, halves + 2 * here.size()));
    const auto counts = uploaded(device, std::vector<cl_uint>{1, 2, 3, 4, 5});
    JoinedTotals totals(shared_device(), k, dimensions);
    CentroidSums share = all.share(20, team, 0);
    const JoinedTotals::Borrowed borrowed = totals.join(share, sums, counts);
    CHECK(downloaded(device, counts) == std::vector<cl_uint>{4, 2, 10, 5, 14});
    const std::vector<cl_uint> added = downloaded(device, sums);
    for (std::size_t i = 0; i < here.size(); ++i)
        CHECK((std::uint64_t{added[2 * i + 1]} << 32 | added[2 * i]) == here[i] + there[i]);
}

TEST_CASE("shared training: sums of many numbers are added piece by piece") {
    const Descriptors rows = random_descriptors(700, 2048, 3);
    const Vocabulary vocabulary = random_vocabulary(600, 2048, 4); // more than 2^20 numbers
    Observer silent;
    const Found expected = runs(on_host, rows, vocabulary);
    CHECK(shared_runs(shared_by(3, 0, silent), RowsInMemory(rows), vocabulary, silent, true) ==
          expected);
}

TEST_CASE("shared training: where rows are sent in each run, also where a device fails") {
    if (leaves_sums_to_the_host()) return;
    const Descriptors descriptors = random_descriptors(30'000, 16, 3); // of 3 parts for a device
    const Vocabulary vocabulary = with_empty_word(13, 16);
    const Found expected = runs(on_host, descriptors, vocabulary);
    PartedRows in_files(descriptors, 900);
    const RowsInMemory in_memory(descriptors);
    const std::array<const DescriptorRows *, 2> both{&in_memory, &in_files};
    Listener observer;
    const auto one = [&](std::size_t launch) {
        DeviceOptions options{.staged = true, .alone = true};
        options.limits = shared_device()->limits();
        options.limits->free_bytes = 4096 * 16 * sizeof(float); // a part
        const auto device = std::make_shared<Device>(options);
        if (launch > 0) device->fail_at_launch(launch);
        return choice_of(find_level("gpu1"), device, {.observer = &observer});
    };
    for (const std::size_t fails : {0, 9, 22})
        for (const DescriptorRows *rows : both) {
            INFO("fails at launch " << fails << (rows == &in_files ? ", in files" : ""));
            observer.warnings.clear();
            LevelChoice choice = one(0);
            choice.others = {one(0), one(fails)};
            const auto search = make_word_search(*rows, choice, vocabulary, observer, true, 0);
            CHECK(runs(*search, *rows, vocabulary.size()) == expected);
            CHECK(observer.warnings.size() == (last_one_failed(choice) ? 1 : 0));
            CHECK(search->on_device());
        }
    in_files.fail_after(20);
    LevelChoice choice = one(0);
    choice.others = {one(0), one(0)};
    const auto search = make_word_search(in_files, choice, vocabulary, observer, true, 0);
    CentroidSums sums(in_memory, vocabulary.size());
    CHECK_THROWS_WITH(search->run(sums), "no more rows");
}

TEST_CASE("shared training: where all devices fail, the last one's error ends it") {
    const Descriptors rows = random_descriptors(3000, 16, 3);
    Listener observer;
    LevelChoice choice = shared_by(2, 9, observer);
    choice.first_device = failing_device(12);
    const auto work = [&] {
        return shared_runs(choice, RowsInMemory(rows), random_vocabulary(5, 16, 4), observer, true);
    };
    CHECK_THROWS_WITH(work(), Catch::Contains("CL_DEVICE_NOT_AVAILABLE"));
    CHECK(observer.warnings.size() == 1);
}

TEST_CASE(
    "shared training: a vocabulary has the bytes of one device's, also where a device fails") {
    const Descriptors rows = random_descriptors(4000, 16, 5);
    TrainOptions options;
    options.k = 30;
    options.iterations = 6;
    options.restarts = 2;
    Observer silent;
    const Training expected = train(rows, options, on_host, silent);
    for (const std::size_t fails : {0, 1, 4, 8, 12}) {
        INFO("fails at launch " << fails << " of its work");
        Listener observer;
        const LevelChoice choice = shared_by(2, fails, observer);
        const Training found = train(rows, options, choice, observer);
        CHECK(observer.warnings.size() == (last_one_failed(choice) ? 1 : 0));
        CHECK(found.vocabulary.values == expected.vocabulary.values);
        CHECK(found.words == expected.words);
        CHECK(found.course == expected.course);
        CHECK(found.inertia == expected.inertia);
    }
}

TEST_CASE("standing threads: all work is done at once, again and again, and a failure comes last") {
    StandingThreads threads;
    for (const std::size_t size : {2, 4, 3}) {
        std::latch together(static_cast<std::ptrdiff_t>(size));
        std::vector<int> done(size);
        std::vector<std::function<void()>> work;
        for (std::size_t i = 0; i < size; ++i)
            work.emplace_back([&, i] {
                together.arrive_and_wait();
                done[i] = 1;
                if (i == 1) throw std::runtime_error("the second fails");
            });
        CHECK_THROWS_WITH(threads.run(work), "the second fails");
        CHECK(done == std::vector<int>(size, 1));
        work.pop_back();
        for (auto &one : work) one = [] {};
        CHECK_NOTHROW(threads.run(work));
    }
}

TEST_CASE("team of threads: every member gets the sums of all, and a broken team ends all calls") {
    ThreadTeam team(3);
    std::vector<std::vector<std::uint64_t>> values(3);
    std::vector<float> largest(3);
    std::vector<int> ended(3);
    std::vector<std::vector<double>> doubles(3);
    std::vector<std::string> words(3);
    std::vector<std::vector<ThreadTeam::Handed>> handed(3);
    std::string gathered; // by rank 0
    std::vector<std::thread> threads;
    for (std::size_t rank = 0; rank < 3; ++rank)
        threads.emplace_back([&, rank] {
            Team &member = team.member(rank);
            for (std::uint64_t i = 0; i < 40'000; ++i) values[rank].push_back(i << (20 * rank));
            largest[rank] = static_cast<float>(rank);
            member.sum(values[rank]);
            member.maximize({&largest[rank], 1});
            doubles[rank] = {0.5, static_cast<double>(rank)};
            member.sum(doubles[rank], [&](std::size_t first, std::size_t end) {
                for (std::size_t i = first; i < end; ++i) doubles[rank][i] += 1;
            });
            words[rank] = std::to_string(rank);
            member.broadcast(words[rank]);
            handed[rank] = team.exchange(rank, std::make_shared<const std::size_t>(rank));
            std::size_t pieces = rank;
            member.gather([&] { return pieces-- > 0 ? std::to_string(rank) : std::string(); },
                          [&](std::size_t from, std::string_view some) {
                              gathered += std::to_string(from) + std::string(some);
                          });
            try {
                if (rank == 1)
                    team.break_up();
                else
                    member.sum(values[rank]);
            } catch (const TeamBroken &) {
                ended[rank] = 1;
            }
        });
    for (std::thread &thread : threads) thread.join();
    CHECK(ended == std::vector<int>{1, 0, 1});
    CHECK(largest == std::vector<float>(3, 2.0F));
    CHECK(doubles == std::vector<std::vector<double>>(3, {4.5, 6.0}));
    CHECK(words == std::vector<std::string>(3, "0"));
    CHECK(gathered == "112222");
    for (const auto &all : handed) {
        REQUIRE(all.size() == 3);
        for (std::size_t rank = 0; rank < 3; ++rank)
            CHECK(*static_cast<const std::size_t *>(all[rank].get()) == rank);
    }
    for (const auto &sums : values)
        for (std::uint64_t i = 0; i < 40'000; i += 777) CHECK(sums[i] == i + (i << 20) + (i << 40));
}
