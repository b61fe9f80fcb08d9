#pragma once

#include <bowhist/team/team.hpp>

#include <functional>
#include <memory>
#include <string>

namespace bowhist {

/// A launch, as a launcher of parallel programs (mpirun, srun) put it into the environment.
struct Launch {
    std::size_t ranks = 1;    ///< 0: unknown, there may be more than one
    bool is_first = true;     ///< this process is rank 0, as far as is known
    std::string by = {};      ///< "mpirun"
    bool has_messages = true; ///< the launcher offers what MPI needs
};

/// Reads the variables of Open MPI, of PMIx, of PMI (MPICH, Intel MPI, Slurm) and of Slurm's steps.
/// A batch script and an element of an array are one process, whatever the job's size.
/// @param variable  of the environment; null where it is not set
Launch launch_of(const std::function<const char *(const char *)> &variable);

/// The functions of the module bowhist-mpi.so.
struct TeamModule {
    /// Starts MPI; called once. The process's last call is Team::end().
    /// @param last_words  shows why there is no result, once for all members; Team::end() then
    ///                    returns no line
    /// @throws Error{Fault::usage} where members are of several versions, with an empty line:
    ///         last_words has shown why, and MPI has ended
    std::unique_ptr<Team> (*join)(void (*last_words)(const std::string &line));
    const char *(*library)(); ///< "Open MPI v4.1.4", once started
};

/// The team that a launcher started; null without a launcher, and for one process.
/// @throws as TeamModule::join; Error{Fault::device} in a build without MPI, and where the launcher
///         and MPI do not know each other: then the processes are as many equal runs
std::unique_ptr<Team> join_team(const Launch &launch, void (*last_words)(const std::string &line));

} // namespace bowhist
