#pragma once

#include "app/command/help.hpp"
#include "app/verbs.hpp"

#include <CLI/CLI.hpp>

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace bowhist::app {

/// Thrown when --help or --version has been answered: nothing else is to be done.
struct Answered {
    bool unread = false; ///< standard output's reader left before the end
};

/// One verb's command line: CLI11 knows the options, this knows what is an INPUT.
///
/// Whatever is no option is an INPUT, to the letter, and after the first `--` everything is. (CLI11
/// itself would rewrite `[2023]` and refuse `-- -x.jpg`: tests/cli/command_line_test.py.)
class Command : public CLI::App {
  public:
    /// @param operands what --help calls the words that are no options: "INPUT...", or nothing
    ///        where there are none
    Command(const std::string &name, const std::string &purpose, const std::string &operands,
            const std::string &examples);

    /// Fills the options' variables. @return the operands
    /// @throws Error{Fault::usage}; Answered
    std::vector<std::string> parse(const Arguments &arguments);

    /// Makes `-o ""` wrong usage, as `-o "$UNSET"` gives it. (`--output=` is as without the option,
    /// where that is optional.)
    void refuse_empty_word(const CLI::Option *option) { not_empty_.insert(option); }

    /// Makes it wrong usage to give both.
    void contradict(const CLI::Option *one, const CLI::Option *other) {
        contradictions_.emplace_back(one, other);
    }

  private:
    void require_word(const std::string &option) const;
    std::set<std::string> options_with_value() const;
    bool takes_value(const std::string &word) const;
    bool has_empty_value(const std::string &word) const;
    void refuse_equals_sign(const std::string &word) const;
    void refuse_odd_words(const std::vector<std::string> &words) const;
    void refuse_unknown_options() const;
    void refuse_contradictions() const;

    std::string title_; ///< "bowhist train"
    std::string form_;  ///< "bowhist train -k K -o c.bin INPUT..."
    bool takes_operands_;
    std::set<const CLI::Option *> not_empty_;
    std::vector<std::pair<const CLI::Option *, const CLI::Option *>> contradictions_;
};

/// The options of a verb that take a value: "-k", "--output". Nothing is run.
std::set<std::string> options_with_value(int (*verb)(const Arguments &));

/// True when the option was given on the command line.
inline bool given(const CLI::Option *option) {
    return option->count() > 0;
}

} // namespace bowhist::app
