#include <bowhist/device/drivers/trial.hpp>

#include <bowhist/core/as_number.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/io/installed_helper.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bowhist {
namespace {

/// A process of its own group, without our signal masks and handlers, files and streams, that
/// reports through its descriptor 3. Killed with its owner, and its whole group with it.
class TrialProcess {
  public:
    TrialProcess(const std::filesystem::path &program, const std::vector<std::string> &arguments,
                 const std::vector<std::string> &environment);
    ~TrialProcess();
    TrialProcess(const TrialProcess &) = delete;
    TrialProcess &operator=(const TrialProcess &) = delete;

    bool has_started() const { return process_ > 0; }
    /// Returns when there is something to read, after a signal, or after a tenth of a second.
    void wait_a_little();
    /// The bytes that came since the last call; nothing is waited for.
    std::string reported() { return read_all(report_); }
    std::string printed() { return read_all(output_); } ///< on both standard streams
    /// waitpid()'s status, once it has ended.
    std::optional<int> status();

  private:
    std::string read_all(int &from);

    int report_ = -1;
    int output_ = -1;
    pid_t process_ = 0; ///< 0: it could not be started
    std::optional<int> status_;
};

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

using Clock = std::chrono::steady_clock;

constexpr double longer_to_run = 4;        // a busy machine takes seconds to compile a kernel
constexpr std::size_t most_printed = 4096; // bytes of it that are kept

std::atomic<bool (*)()> interruption_requested = nullptr;

double seconds_allowed() {
    constexpr double usual = 5;
    const char *own = std::getenv("BOWHIST_DRIVER_SECONDS");
    const auto asked = own == nullptr ? std::nullopt : as_number<double>(own);
    return asked && *asked > 0 && *asked < 1e6 ? *asked : usual;
}

std::vector<std::string> environment_with(const std::vector<Setting> &settings) {
    std::vector<std::string> all;
    for (char **variable = environ; *variable != nullptr; ++variable) {
        const std::string_view text = *variable;
        const auto named = [&](const Setting &s) {
            return s.first == text.substr(0, text.find('='));
        };
        if (std::ranges::none_of(settings, named)) all.emplace_back(text);
    }
    for (const auto &[name, value] : settings)
        if (value) all.push_back(name + "=" + *value);
    return all;
}

std::string signal_name(int number) {
    static const std::map<int, const char *> names = {
        {SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},   {SIGILL, "SIGILL"},   {SIGFPE, "SIGFPE"},
        {SIGKILL, "SIGKILL"}, {SIGTRAP, "SIGTRAP"}, {SIGTERM, "SIGTERM"}, {SIGSYS, "SIGSYS"}};
    const auto name = names.find(number);
    return name == names.end() ? fmt::format("signal {}", number) : name->second;
}

std::string describe_end(int status) {
    if (!WIFSIGNALED(status)) return fmt::format("exits with status {}", WEXITSTATUS(status));
    const int number = WTERMSIG(status);
    return number == SIGABRT ? "aborts" : fmt::format("crashes ({})", signal_name(number));
}

/// Follows a process to its end, or to the end of its time.
class Watch {
  public:
    explicit Watch(TrialProcess &process) : process_(process) {}

    Trial result() {
        while (!step()) process_.wait_a_little();
        if (trial_.went_well()) trial_.culprit.reset();
        return trial_;
    }

  private:
    /// @return whether all is known
    bool step() {
        const auto requested = interruption_requested.load();
        if (requested != nullptr && requested()) throw Error(Fault::interrupted, "interrupted");
        const std::optional<int> status = process_.status(); // before the last words are read
        const std::string printed = process_.printed();
        trial_.printed += printed.substr(0, most_printed - trial_.printed.size());
        hear(process_.reported());
        if (is_done_) return true;
        if (status) trial_.end = describe_end(*status);
        const auto allowed = runs_ ? longer_to_run * allowed_ : allowed_;
        if (!status && Clock::now() - last_word_ >= allowed)
            trial_.end = fmt::format("does not answer within {:g} s", allowed.count());
        return !trial_.went_well();
    }

    void hear(const std::string &words) {
        if (!words.empty()) last_word_ = Clock::now();
        unfinished_ += words;
        for (std::size_t end = 0; (end = unfinished_.find('\n')) != std::string::npos;) {
            hear_line(std::string_view(unfinished_).substr(0, end));
            unfinished_.erase(0, end + 1);
        }
    }

    void hear_line(std::string_view line) {
        const auto rest_after = [&](std::string_view word) {
            return line.starts_with(word) ? line.substr(word.size()) : std::string_view();
        };
        if (const auto number = rest_after("load "); !number.empty())
            trial_.culprit = as_number<std::size_t>(number);
        else if (const auto missing = rest_after("missing "); !missing.empty())
            trial_.missing.emplace_back(
                trial_.culprit.value_or(0),
                missing.substr(std::min(missing.find(' '), missing.size() - 1) + 1));
        else
            trial_.culprit.reset();
        runs_ = line == "run";
        is_done_ = is_done_ || line == "done";
    }

    TrialProcess &process_;
    Trial trial_;
    std::string unfinished_; ///< a line
    bool runs_ = false;      ///< a kernel: it is compiled
    bool is_done_ = false;
    Clock::time_point last_word_ = Clock::now();
    const std::chrono::duration<double> allowed_{seconds_allowed()};
};

std::filesystem::path program() {
    try {
        return installed_helper("bowhist-try-drivers");
    } catch (const Error &) {
        return {};
    }
}

} // namespace

std::optional<Trial> try_together(const std::vector<Driver> &drivers,
                                  const std::vector<Setting> &settings) {
    const std::filesystem::path helper = program();
    if (helper.empty()) return std::nullopt;
    std::vector<std::string> arguments = {helper.filename()};
    for (const Driver &driver : drivers) arguments.push_back(driver.library);
    TrialProcess process(helper, arguments, environment_with(settings));
    if (!process.has_started()) return std::nullopt;
    return Watch(process).result();
}

void set_trial_interruption(bool (*requested)()) {
    interruption_requested = requested;
}

} // namespace bowhist
