#include <bowhist/team/launcher.hpp>

#include <bowhist/core/as_number.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/io/installed_helper.hpp>
#include <bowhist/team/deadline.hpp>

#include <fmt/format.h>

#include <chrono>
#include <unistd.h>

namespace bowhist {
namespace {

/// The number in a variable; nothing where it is not set.
using Number = std::function<std::optional<std::size_t>(const char *)>;

Launch launch_by(const char *by, std::size_t ranks, std::optional<std::size_t> rank) {
    return {.ranks = ranks, .is_first = rank.value_or(0) == 0, .by = by};
}

/// A step of Slurm's; its batch script is a step, too, but its number is that of no step.
Launch slurm_step(const Number &number) {
    constexpr std::size_t most_steps = 0xFFFFFFF0;
    const auto step = number("SLURM_STEP_ID");
    if (!step || *step >= most_steps) return {};
    Launch launch =
        launch_by("srun", number("SLURM_STEP_NUM_TASKS").value_or(1), number("SLURM_PROCID"));
    launch.has_messages = false;
    return launch;
}

const TeamModule &mpi_module() {
    return *static_cast<const TeamModule *>(symbol_of_module("bowhist-mpi.so", "bowhist_mpi"));
}

std::string started(const Launch &launch) {
    return fmt::format("{} started {}", launch.by,
                       launch.ranks > 0 ? fmt::format("{} processes", launch.ranks)
                                        : "this process");
}

/// How long a process waits for all others to begin: they may be many, and their disk slow. The
/// first one ends before the others, so that one speaks.
std::chrono::seconds patience_of(const Launch &launch) {
    constexpr std::size_t ranks_a_second = 10;
    return std::chrono::seconds(60 + launch.ranks / ranks_a_second + (launch.is_first ? 0 : 3));
}

} // namespace

Launch launch_of(const std::function<const char *(const char *)> &variable) {
    const Number number = [&](const char *name) -> std::optional<std::size_t> {
        const char *text = variable(name);
        return text != nullptr ? as_number<std::size_t>(text) : std::nullopt;
    };
    if (const auto ranks = number("OMPI_COMM_WORLD_SIZE"))
        return launch_by("mpirun", *ranks, number("OMPI_COMM_WORLD_RANK"));
    if (const auto ranks = number("PMI_SIZE"); ranks && number("PMI_RANK"))
        return launch_by(number("SLURM_STEP_ID") ? "srun" : "mpirun", *ranks, number("PMI_RANK"));
    const Launch step = slurm_step(number);
    if (variable("PMIX_NAMESPACE") == nullptr || !number("PMIX_RANK")) return step;
    return launch_by(step.by.empty() ? "a launcher" : "srun", step.by.empty() ? 0 : step.ranks,
                     number("PMIX_RANK"));
}

std::unique_ptr<Team> join_team(const Launch &launch, void (*last_words)(const std::string &line)) {
    if (launch.ranks == 1) return nullptr;
    if constexpr (!BOWHIST_HAS_MPI)
        throw Error(Fault::device,
                    fmt::format("{}, and this build has no MPI: they would be equal runs; install "
                                "libopenmpi-dev and build bowhist again, or give each --shard i/n",
                                started(launch)));
    if (!launch.has_messages)
        throw Error(Fault::device,
                    fmt::format("{} without MPI: they would be equal runs; give srun --mpi=pmix, "
                                "or each process --shard i/n",
                                started(launch)));
    const TeamModule &module = mpi_module();
    std::unique_ptr<Team> team;
    {
        const std::chrono::seconds patience = patience_of(launch);
        const Deadline deadline(patience, [&] {
            last_words(fmt::format("{}, and after {} s some of them have not begun to work; start "
                                   "bowhist in all of them, once",
                                   started(launch), patience.count()));
            _exit(3);
        });
        team = module.join(last_words);
    }
    if (launch.ranks > 1 && team->size() != launch.ranks)
        throw Error(Fault::device,
                    fmt::format("{}, and {} knows of {}: they would be equal runs; start them by "
                                "the mpirun of that MPI",
                                started(launch), module.library(), team->size()));
    if (team->size() > 1) return team;
    team->end({});
    return nullptr;
}

} // namespace bowhist
