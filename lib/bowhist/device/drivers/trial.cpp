#include <bowhist/device/drivers/trial.hpp>

#include <bowhist/core/as_number.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/device/drivers/trial_process.hpp>
#include <bowhist/io/installed_helper.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <map>
#include <string_view>

#include <sys/wait.h>
#include <unistd.h>

namespace bowhist {
namespace {

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
