#include "tests/support/ring_team.hpp"

#include <bowhist/core/descriptors.hpp>
#include <bowhist/sums/centroid_sums.hpp>

#include <catch2/catch.hpp>

#include <random>

namespace bowhist {
namespace {

/// What docs/scaling.md says that each member hands its team in each iteration of a training.
std::uint64_t bytes_of_iteration(std::size_t k, std::size_t dimensions) {
    return 8 * k * dimensions + 4 * k;
}

struct Case {
    std::size_t k, dimensions, rows;
};

/// Descriptors, and the word of each in each iteration.
struct Drawn {
    explicit Drawn(const Case &drawn) : descriptors{drawn.dimensions, {}} {
        std::mt19937 random{49};
        std::uniform_real_distribution<float> value(-3, 250);
        for (std::size_t i = 0; i < drawn.rows * drawn.dimensions; ++i)
            descriptors.values.push_back(value(random));
        for (auto &some : words)
            for (std::size_t i = 0; i < drawn.rows; ++i)
                some.push_back(static_cast<std::int32_t>(random() % drawn.k));
    }

    static constexpr std::size_t iterations = 3;
    Descriptors descriptors;
    std::array<std::vector<std::int32_t>, iterations> words;
};

/// The bytes that a member handed its team, and that it sent, in each iteration; and its words.
struct Course {
    std::vector<TeamBytes> bytes;
    Vocabulary vocabulary;
};

/// The iterations of a member: of its share of the rows.
Course course_of(const Case &drawn, const Drawn &all, RingMember &member) {
    const std::size_t first = drawn.rows * member.rank() / member.size();
    const std::size_t count = drawn.rows * (member.rank() + 1) / member.size() - first;
    const std::span<const float> values =
        std::span(all.descriptors.values)
            .subspan(first * drawn.dimensions, count * drawn.dimensions);
    const Descriptors share{drawn.dimensions, {values.begin(), values.end()}};
    CentroidSums sums(RowsInMemory(share), drawn.k, member);
    Course course;
    course.vocabulary = {drawn.dimensions, std::vector<float>(drawn.k * drawn.dimensions)};
    std::vector<std::int32_t> before(count, -1);
    for (const auto &words : all.words) {
        const TeamBytes start = member.bytes();
        sums.clear();
        sums.add(values, std::span(words).subspan(first, count), before);
        sums.finish();
        sums.move(course.vocabulary);
        course.bytes.push_back(member.bytes() - start);
    }
    return course;
}

} // namespace

TEST_CASE("team: an iteration of a training sends as many bytes as the model says") {
    for (const Case &drawn : {Case{16, 8, 300}, Case{7, 5, 61}, Case{64, 64, 1000}}) {
        const Drawn all(drawn);
        Vocabulary expected;
        for (std::size_t members = 1; members <= 8; ++members) {
            INFO(members << " members, k = " << drawn.k);
            Ring ring(members);
            std::vector<Course> courses(members);
            ring.run([&](RingMember &member) {
                courses[member.rank()] = course_of(drawn, all, member);
            });
            if (members == 1) expected = courses.front().vocabulary;
            const std::uint64_t handed = bytes_of_iteration(drawn.k, drawn.dimensions);
            for (std::size_t i = 0; i < Drawn::iterations; ++i) {
                std::uint64_t sent = 0;
                for (const Course &course : courses) {
                    CHECK(course.bytes[i].handed == handed);
                    sent += course.bytes[i].sent;
                }
                CHECK(sent == 2 * (members - 1) * handed);
            }
            for (const Course &course : courses) CHECK(course.vocabulary.values == expected.values);
        }
    }
}

} // namespace bowhist
