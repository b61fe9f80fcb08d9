#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace bowhist {

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

} // namespace bowhist
