#include <bowhist/device/drivers/trial_process.hpp>

#include <bowhist/io/spawn_attributes.hpp>

#include <csignal>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bowhist {
namespace {

constexpr int report_of_process = 3;

/// A pipe whose ends lie above the descriptors that spawn() sets: a host program may have closed
/// those. -1, -1 without one.
std::array<int, 2> raised_pipe() {
    std::array<int, 2> low = {};
    if (pipe2(low.data(), O_CLOEXEC) != 0) return {-1, -1};
    std::array<int, 2> ends = {};
    for (int i = 0; i < 2; ++i) {
        ends.at(i) = fcntl(low.at(i), F_DUPFD_CLOEXEC, report_of_process + 1);
        close(low.at(i));
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return ends;
}

std::vector<char *> pointers(const std::vector<std::string> &texts) {
    std::vector<char *> all;
    for (const std::string &text : texts) all.push_back(const_cast<char *>(text.c_str()));
    all.push_back(nullptr);
    return all;
}

/// 0 where it cannot be started.
pid_t spawn(const std::filesystem::path &program, const std::vector<std::string> &arguments,
            const std::vector<std::string> &environment, int report, int output) {
    const SpawnAttributes attributes;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&actions, report, report_of_process);
    pid_t process = 0;
    const int failure = posix_spawn(&process, program.c_str(), &actions, attributes.get(),
                                    pointers(arguments).data(), pointers(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    return failure == 0 ? process : 0;
}

} // namespace

TrialProcess::TrialProcess(const std::filesystem::path &program,
                           const std::vector<std::string> &arguments,
                           const std::vector<std::string> &environment) {
    const auto [report, its_report] = raised_pipe();
    const auto [output, its_output] = raised_pipe();
    report_ = report;
    output_ = output;
    if (its_report >= 0 && its_output >= 0)
        process_ = spawn(program, arguments, environment, its_report, its_output);
    close(its_report);
    close(its_output);
}

TrialProcess::~TrialProcess() {
    if (has_started()) {
        kill(-process_, SIGKILL); // the whole group, which may outlive it
        if (!status_) waitpid(process_, nullptr, 0);
    }
    close(report_);
    close(output_);
}

void TrialProcess::wait_a_little() {
    constexpr int milliseconds = 100;
    std::array<pollfd, 2> ends = {pollfd{report_, POLLIN, 0}, pollfd{output_, POLLIN, 0}};
    poll(ends.data(), ends.size(), milliseconds); // closed ones are -1, which poll() ignores
}

std::optional<int> TrialProcess::status() {
    int status = 0;
    if (!status_ && waitpid(process_, &status, WNOHANG) == process_) status_ = status;
    return status_;
}

std::string TrialProcess::read_all(int &from) {
    std::string all;
    std::array<char, 4096> part = {};
    ssize_t bytes = 0;
    while (from >= 0 && (bytes = read(from, part.data(), part.size())) > 0)
        all.append(part.data(), static_cast<std::size_t>(bytes));
    if (from >= 0 && bytes == 0) close(std::exchange(from, -1));
    return all;
}

} // namespace bowhist
