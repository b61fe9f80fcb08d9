#pragma once

#include <bowhist/pipeline/inputs.hpp>

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <utility>

namespace bowhist::app {

/// Files that are read, and their sidecars. What is written must be none of them, by whatever path:
/// ./a.png, a link.
class InputFiles {
  public:
    explicit InputFiles(const std::filesystem::path &input);
    explicit InputFiles(const InputList &list);

    /// @throws Error{Fault::usage} naming the output and the input that it would replace
    void check_output(const std::filesystem::path &output) const;

  private:
    using Identity = std::pair<dev_t, ino_t>;

    void add(const std::filesystem::path &input);

    std::map<Identity, std::filesystem::path> files_; ///< each is looked at once
};

/// One output, many inputs: these are looked at only where the output is there already.
void check_not_input(const std::filesystem::path &output, const InputList &list);
void check_not_input(const std::filesystem::path &output, const std::filesystem::path &input);

} // namespace bowhist::app
