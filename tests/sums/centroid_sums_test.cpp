// Sums of words: exact, and the same in any order and on any number of threads.
#include "tests/support/descriptors.hpp"

#include <bowhist/sums/centroid_sums.hpp>

#include <catch2/catch.hpp>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <barrier>
#include <cmath>
#include <functional>
#include <random>
#include <thread>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

std::vector<std::int32_t> random_words(std::size_t n, std::size_t k, unsigned seed) {
    std::mt19937 engine(seed);
    std::vector<std::int32_t> words;
    for (std::size_t row = 0; row < n; ++row)
        words.push_back(static_cast<std::int32_t>(engine() % (k - 1))); // the last stays empty
    return words;
}

CentroidSums sums_of(const Descriptors &rows, std::size_t k) {
    return {RowsInMemory(rows), k};
}

/// All at once. @return how many words are others than `before`, which becomes them
std::size_t add(CentroidSums &sums, const Descriptors &rows, const std::vector<std::int32_t> &words,
                std::vector<std::int32_t> before) {
    sums.clear();
    const std::size_t moved = sums.add(rows.values, words, before);
    sums.finish();
    CHECK(before == words);
    return moved;
}

} // namespace

TEST_CASE("centroid sums: means, counts and moves are those of long double") {
    for (const std::size_t dimensions : {5, 64})
        for (const float size : {1e-36F, 1.0F, 3e36F}) {
            INFO(dimensions << " dimensions of about " << size);
            constexpr std::size_t k = 7;
            const Descriptors rows = random_descriptors(3000, dimensions, 2, size);
            CentroidSums sums = sums_of(rows, k);
            const auto before = random_words(rows.size(), k, 1);
            const auto words = random_words(rows.size(), k, 3);
            const std::vector<std::int32_t> none(rows.size(), -1);
            CHECK(add(sums, rows, before, none) == rows.size());
            std::size_t moved = 0;
            for (std::size_t row = 0; row < rows.size(); ++row) moved += words[row] != before[row];
            CHECK(add(sums, rows, words, before) == moved);
            CHECK(add(sums, rows, words, words) == 0);
            Vocabulary means{dimensions, std::vector<float>(k * dimensions, size)};
            long double inertia = 0;
            for (std::size_t row = 0; row < rows.size(); ++row)
                for (std::size_t i = 0; i < dimensions; ++i)
                    inertia += std::pow(static_cast<long double>(rows.row(row)[i]) -
                                            static_cast<long double>(size),
                                        2.0L);
            CHECK(sums.inertia(means) == Approx(static_cast<double>(inertia)).epsilon(1e-12));
            sums.move(means);
            CHECK(sums.empty() == std::vector<std::size_t>{k - 1});
            for (std::size_t word = 0; word < k; ++word)
                for (std::size_t i = 0; i < dimensions; ++i) {
                    long double sum = 0;
                    long double count = 0;
                    for (std::size_t row = 0; row < rows.size(); ++row)
                        if (words[row] == static_cast<std::int32_t>(word)) {
                            sum += rows.row(row)[i];
                            ++count;
                        }
                    const long double mean = count > 0 ? sum / count : size;
                    CHECK(static_cast<double>(means.row(word)[i]) ==
                          Approx(static_cast<double>(mean)).epsilon(1e-7).margin(1e-9 * size));
                }
        }
}

TEST_CASE("centroid sums: any number of threads adds up to the same bits") {
    const Descriptors rows = random_descriptors(9000, 20, 5);
    const auto words = random_words(rows.size(), 9, 4);
    const auto centroids = [&](int threads) {
        Vocabulary means{20, std::vector<float>(9 * 20, 1)};
        double inertia = 0;
        tbb::task_arena(threads).execute([&] {
            CentroidSums sums = sums_of(rows, 9); // in as many parts
            add(sums, rows, words, words);
            inertia = sums.inertia(means);
            sums.move(means);
        });
        return std::pair(inertia, means.values);
    };
    const auto alone = centroids(1);
    for (const int threads : {2, 3, 7}) CHECK(centroids(threads) == alone);
}

TEST_CASE("centroid sums: small values beside a large one are not lost") {
    // Of 4001 values the largest is worth 2^38 multiples.
    Descriptors rows{1, {1.0F}};
    for (int i = 0; i < 4000; ++i) rows.values.push_back(0x1p-38F);
    std::vector<std::int32_t> words(rows.size(), 0);
    CentroidSums sums = sums_of(rows, 1);
    add(sums, rows, words, words);
    Vocabulary mean{1, {0}};
    sums.move(mean);
    CHECK(mean.values[0] == static_cast<float>((1 + 4000 * 0x1p-38) / 4001));
}

namespace {

/// Two members on two threads, each with a part of the rows.
class Pair {
  public:
    class Member : public Team {
      public:
        Member(Pair &pair, std::size_t rank) : pair_(pair), rank_(rank) {}
        std::size_t size() const override { return 2; }
        std::size_t rank() const override { return rank_; }
        MemberPlace place() const override { return {}; }
        void sum(std::span<double> values, const Ready &ready) override {
            if (ready) ready(0, values.size());
            pair_.combine(rank_, values, std::plus{});
        }
        void sum(std::span<std::uint32_t> values) override {
            pair_.combine(rank_, values, std::plus{});
        }
        void sum(std::span<std::uint64_t> values) override {
            pair_.combine(rank_, values, std::plus{});
        }
        void maximize(std::span<float> values) override {
            pair_.combine(rank_, values, [](float a, float b) { return std::max(a, b); });
        }
        void broadcast(std::string & /*bytes*/) override {}
        void gather(const Give & /*give*/, const Take & /*take*/) override {}
        void describe(Work /*work*/) override {}
        Ending end(Ending own) override { return own; }

      private:
        Pair &pair_;
        std::size_t rank_;
    };

  private:
    template <typename T, typename Operation>
    void combine(std::size_t rank, std::span<T> values, const Operation &operation) {
        there_.at(rank) = values.data();
        barrier_.arrive_and_wait();
        std::vector<T> all(values.begin(), values.end());
        const T *other = static_cast<const T *>(there_.at(1 - rank));
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = operation(all[i], other[i]);
        barrier_.arrive_and_wait();
        std::ranges::copy(all, values.begin());
    }

    std::array<void *, 2> there_{};
    std::barrier<> barrier_{2};
};

} // namespace

TEST_CASE("centroid sums: two members of a team come to the bits of one") {
    const Descriptors rows = random_descriptors(9000, 20, 5);
    const auto words = random_words(rows.size(), 9, 4);
    const auto found = [](const CentroidSums &sums) {
        Vocabulary means{20, std::vector<float>(9 * 20, 1)};
        const double inertia = sums.inertia(means);
        sums.move(means);
        return std::pair(inertia, means.values);
    };
    CentroidSums whole = sums_of(rows, 9);
    add(whole, rows, words, words);
    for (const std::size_t first : {1, 2000}) {
        Pair pair;
        std::array<std::pair<double, std::vector<float>>, 2> both;
        const auto work = [&](std::size_t rank) {
            const std::size_t begin = rank == 0 ? 0 : first;
            const std::size_t end = rank == 0 ? first : rows.size();
            const Descriptors own{20,
                                  {rows.values.begin() + static_cast<std::ptrdiff_t>(20 * begin),
                                   rows.values.begin() + static_cast<std::ptrdiff_t>(20 * end)}};
            std::vector<std::int32_t> before(end - begin, -1);
            Pair::Member member(pair, rank);
            CentroidSums sums(RowsInMemory(own), 9, member);
            sums.clear();
            sums.add(own.values, std::span(words).subspan(begin, end - begin), before);
            sums.finish();
            both.at(rank) = found(sums);
        };
        std::thread other([&] { work(1); });
        work(0);
        other.join();
        CHECK(both[0] == found(whole));
        CHECK(both[1] == found(whole));
    }
}
