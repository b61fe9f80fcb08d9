// What members must have alike is compared: all end alike, and the line names the first that
// differs.
#include <bowhist/core/error.hpp>
#include <bowhist/team/team.hpp>
#include <bowhist/team/thread_team.hpp>

#include <catch2/catch.hpp>

#include <string>
#include <thread>
#include <vector>

using namespace bowhist;

namespace {

/// What each member is refused with; empty where it is not.
std::vector<std::string> refusals(const std::vector<std::string> &texts) {
    ThreadTeam team(texts.size());
    std::vector<std::string> lines(texts.size());
    std::vector<std::thread> threads;
    for (std::size_t rank = 0; rank < texts.size(); ++rank)
        threads.emplace_back([&, rank] {
            try {
                require_same(team.member(rank), "another version of bowhist", texts[rank]);
            } catch (const Error &error) {
                lines[rank] = error.fault == Fault::usage ? error.what() : "another fault";
            }
        });
    for (std::thread &thread : threads) thread.join();
    return lines;
}

} // namespace

TEST_CASE("same: members with one text work on") {
    CHECK(refusals({"0.1.0", "0.1.0", "0.1.0"}) == std::vector<std::string>(3));
    CHECK(refusals({"", ""}) == std::vector<std::string>(2));
    CHECK_NOTHROW(require_same(one_process(), "another version of bowhist", "0.1.0"));
}

TEST_CASE("same: all are refused alike where one differs") {
    const std::string line =
        "rank 2 has another version of bowhist than rank 0; give all ranks the "
        "same files, options and program";
    CHECK(refusals({"0.1.0", "0.1.0", "0.2.0"}) == std::vector<std::string>(3, line));
    CHECK(refusals({"0.1.0", "0.1.0", "", "0.2.0"}) == std::vector<std::string>(4, line));
    CHECK(refusals({"0.2.0", "0.1.0"}).front().starts_with("rank 1 has another version"));
}
