#include "app/command/team.hpp"
#include "app/command/standard_streams.hpp"
#include "app/command/thread_limit.hpp"

#include <bowhist/device/session.hpp>
#include <bowhist/team/launcher.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <memory>
#include <unistd.h>

namespace bowhist::app {
namespace {

std::unique_ptr<Team> ranks; // null: one process
bool speaks = true;          // this process, for all ranks

void print_last_words(const std::string &line) {
    print_message(fmt::format("bowhist: {}\n", line));
}

/// Drops this rank's standard output, which would repeat that of rank 0.
void drop_standard_output() {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) dup2(nowhere, STDOUT_FILENO);
}

bool is_one_shard(const Arguments &arguments) {
    return std::ranges::any_of(arguments,
                               [](const std::string &word) { return word.starts_with("--shard"); });
}

} // namespace

Team &team() {
    return ranks ? *ranks : one_process();
}

void join_team_of(const Arguments &arguments) {
    const Launch launch = launch_of([](const char *name) { return std::getenv(name); });
    if (launch.ranks == 1 || is_one_shard(arguments)) return;
    speaks = launch.is_first;
    ranks = join_team(launch, print_last_words);
    speaks = team().rank() == 0;
    if (!speaks) drop_standard_output();
    share_cores(team().place().on_cores);
    take_device_turn(team().place().number);
}

Ending end_team(Ending own) {
    Ending all = team().end(std::move(own));
    if (!speaks) all.line.clear();
    return all;
}

} // namespace bowhist::app
