#include <bowhist/team/launcher.hpp>
#include <bowhist/team/records.hpp>

#include <catch2/catch.hpp>

#include <map>
#include <string>

using namespace bowhist;

namespace {

Launch launched(const std::map<std::string, std::string> &environment) {
    return launch_of([&](const char *name) -> const char * {
        const auto found = environment.find(name);
        return found == environment.end() ? nullptr : found->second.c_str();
    });
}

} // namespace

TEST_CASE("launcher: what starts one process is no launcher") {
    CHECK(launched({}).ranks == 1);
    CHECK(launched({{"OMPI_COMM_WORLD_SIZE", "1"}, {"OMPI_COMM_WORLD_RANK", "0"}}).ranks == 1);
    // a batch script of Slurm's, whatever the job's size, and an element of an array
    CHECK(launched({{"SLURM_NTASKS", "8"}, {"SLURM_PROCID", "0"}}).ranks == 1);
    CHECK(launched({{"SLURM_STEP_ID", "4294967291"}, {"SLURM_STEP_NUM_TASKS", "8"}}).ranks == 1);
    CHECK(launched(
              {{"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}, {"SLURM_ARRAY_TASK_ID", "3"}})
              .ranks == 1);
    CHECK(launched({{"PMI_RANK", "3"}}).ranks == 1);
    CHECK(launched({{"OMPI_COMM_WORLD_SIZE", "many"}}).ranks == 1);
}

TEST_CASE("launcher: ranks are known by each launcher's variables") {
    const Launch open_mpi = launched({{"OMPI_COMM_WORLD_SIZE", "4"},
                                      {"OMPI_COMM_WORLD_RANK", "2"},
                                      {"PMIX_NAMESPACE", "x"},
                                      {"PMIX_RANK", "2"}});
    CHECK(open_mpi.ranks == 4);
    CHECK_FALSE(open_mpi.is_first);
    CHECK(open_mpi.has_messages);
    CHECK(launched({{"PMI_SIZE", "3"}, {"PMI_RANK", "0"}}).ranks == 3);
    const Launch slurm = launched({{"SLURM_STEP_ID", "0"},
                                   {"SLURM_STEP_NUM_TASKS", "5"},
                                   {"SLURM_PROCID", "1"},
                                   {"PMIX_NAMESPACE", "x"},
                                   {"PMIX_RANK", "1"}});
    CHECK(slurm.ranks == 5);
    CHECK(slurm.has_messages);
    CHECK(launched({{"PMIX_NAMESPACE", "x"}, {"PMIX_RANK", "0"}}).ranks == 0);
}

TEST_CASE("launcher: a step of several processes without messages is refused") {
    const Launch step =
        launched({{"SLURM_STEP_ID", "2"}, {"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_PROCID", "0"}});
    CHECK(step.ranks == 4);
    CHECK_FALSE(step.has_messages);
    CHECK_THROWS_WITH(join_team(step, nullptr), Catch::Contains("equal runs"));
    CHECK(join_team({}, nullptr) == nullptr);
}

TEST_CASE("records: arrive whole from pieces of any size") {
    std::string all;
    for (int i = 0; i < 5; ++i) {
        std::string record;
        put(record, i);
        put_all(record, std::span<const char>(std::string(static_cast<std::size_t>(i), 'x')));
        put_all(all, std::span<const char>(record));
    }
    for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, all.size()}) {
        RecordReader reader;
        int next = 0;
        for (std::size_t at = 0; at < all.size(); at += piece)
            reader.add(std::string_view(all).substr(at, piece), [&](Record record) {
                CHECK(record.take<int>() == next);
                CHECK(record.take_all<std::string>().size() == static_cast<std::size_t>(next));
                ++next;
            });
        CHECK(next == 5);
    }
}
