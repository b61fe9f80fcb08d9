#include "app/command/command.hpp"
#include "app/command/help.hpp"
#include "app/command/parse_error.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/nearest.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/core/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

namespace bowhist::app {
namespace {

/// A question that no one can type. As a verb's only argument it makes Command::parse throw
/// OptionsWithValue.
const Arguments which_options = {std::string(1, '\0')};

struct OptionsWithValue {
    std::set<std::string> names;
};

/// Prints what was asked for. That no one reads it to its end (`| head -1`) is no loss.
[[noreturn]] void answer(const std::string &text) {
    const bool is_lost = std::fputs(text.c_str(), stdout) == EOF || std::fflush(stdout) != 0;
    throw Answered{is_lost && errno == EPIPE};
}

} // namespace

Command::Command(const std::string &name, const std::string &purpose, const std::string &operands,
                 const std::string &examples)
    : CLI::App(purpose), title_(name.empty() ? "bowhist" : "bowhist " + name),
      form_(title_ + " " + operands), takes_operands_(!operands.empty()) {
    formatter(help_formatter(
        fmt::format("\nUsage: {} [OPTIONS]{}{}\n", title_, operands.empty() ? "" : " ", operands)));
    footer("Examples:\n" + examples);
    allow_extras();
    const Heading under(*this, heading::output);
    set_help_flag("-h,--help", "Print this help and exit");
    set_version_flag("-V,--version", std::string(bowhist::version()), "Print the version and exit");
}

std::vector<std::string> Command::parse(const Arguments &arguments) {
    if (arguments == which_options) throw OptionsWithValue{options_with_value()};
    const auto dashes = std::ranges::find(arguments, "--");
    std::vector<std::string> before;
    for (auto word = arguments.begin(); word != dashes; ++word) {
        if (word->empty() && !before.empty()) require_word(before.back());
        const bool is_empty = has_empty_value(*word);
        before.push_back(is_empty ? word->substr(0, word->size() - 1) : *word);
        if (is_empty) before.emplace_back();
    }
    refuse_odd_words(before);
    std::ranges::reverse(before); // CLI11 takes them from the back
    try {
        CLI::App::parse(before);
    } catch (const CLI::CallForHelp &) {
        answer(help());
    } catch (const CLI::CallForVersion &) {
        answer(fmt::format("bowhist {}\n", bowhist::version()));
    } catch (const CLI::ParseError &error) {
        refuse_unknown_options(); // a mistyped --output is no missing one
        const bool is_missing = dynamic_cast<const CLI::RequiredError *>(&error) != nullptr;
        throw Error(Fault::usage, fmt::format("{}{}; see --help", in_our_words(*this, error),
                                              is_missing ? ": " + form_ : ""));
    }
    refuse_unknown_options();
    refuse_contradictions();
    std::vector<std::string> operands = remaining();
    if (!takes_operands_ && !operands.empty())
        throw Error(Fault::usage, fmt::format("\"{}\" is not expected here; see --help",
                                              excerpt(operands.front())));
    if (dashes != arguments.end()) operands.insert(operands.end(), dashes + 1, arguments.end());
    return operands;
}

/// @param option  that an empty word follows
void Command::require_word(const std::string &option) const {
    if (option.starts_with('-') && not_empty_.contains(get_option_no_throw(option)))
        throw Error(Fault::usage,
                    fmt::format("{} takes a name, and this one is empty; see --help", option));
}

/// `"--device=$UNSET"` becomes `--device=`, and CLI11 would take the next word for the value.
bool Command::has_empty_value(const std::string &word) const {
    return word.starts_with("--") && word.ends_with('=') &&
           takes_value(word.substr(0, word.size() - 1));
}

std::set<std::string> Command::options_with_value() const {
    std::set<std::string> names;
    for (const CLI::Option *option : get_options()) {
        if (option->get_items_expected_max() == 0) continue;
        for (const std::string &name : option->get_snames()) names.insert("-" + name);
        for (const std::string &name : option->get_lnames()) names.insert("--" + name);
    }
    return names;
}

bool Command::takes_value(const std::string &word) const {
    const CLI::Option *option = word.starts_with('-') ? get_option_no_throw(word) : nullptr;
    return option != nullptr && option->get_items_expected_max() > 0;
}

void Command::refuse_equals_sign(const std::string &word) const {
    const std::string name = word.substr(0, 2);
    const CLI::Option *option = get_option_no_throw(name);
    if (word.size() < 3 || word[2] != '=' || word[1] == '-' || option == nullptr) return;
    const std::string value = word.size() > 3 ? printable(word.substr(3)) : option->get_type_name();
    throw Error(Fault::usage, fmt::format("{}: behind {} stands no =; write {}", printable(word),
                                          name, takes_value(name) ? name + " " + value : name));
}

/// CLI11 would take words to the letter that no one means so: `-k=5` for a K of "=5", and `-o -q`
/// for an output of the name "-q". (`--exclude=--x` is taken to the letter.)
void Command::refuse_odd_words(const std::vector<std::string> &words) const {
    for (auto word = words.begin(); word != words.end(); ++word) {
        refuse_equals_sign(*word);
        const auto next = word + 1;
        const bool is_option = next != words.end() && next->starts_with('-') &&
                               (next->starts_with("--") || get_option_no_throw(*next) != nullptr);
        if (is_option && takes_value(*word))
            throw Error(Fault::usage,
                        fmt::format("{} is missing its value: {} is an option (a file of that name "
                                    "is ./{}); see --help",
                                    *word, printable(*next), printable(*next)));
    }
}

void Command::refuse_contradictions() const {
    for (const auto &[one, other] : contradictions_)
        if (one->count() > 0 && other->count() > 0)
            throw Error(Fault::usage, fmt::format("{} and {} contradict each other; leave one out",
                                                  one->get_name(), other->get_name()));
}

void Command::refuse_unknown_options() const {
    for (const std::string &word : remaining()) {
        if (word.size() < 2 || word.front() != '-') continue;
        const std::string option = word.substr(0, word.find('='));
        std::vector<std::string> names;
        for (const CLI::Option *known : get_options())
            for (const std::string &name : known->get_lnames()) names.push_back("--" + name);
        const std::string meant = nearest(option, names);
        const std::string advice =
            meant.empty() ? fmt::format("see {} --help (a file of that name goes after --)", title_)
                          : fmt::format("did you mean {}? See {} --help", meant, title_);
        throw Error(Fault::usage,
                    fmt::format("there is no option {}; {}", printable(option), advice));
    }
}

std::set<std::string> options_with_value(int (*verb)(const Arguments &)) {
    try {
        verb(which_options);
    } catch (const OptionsWithValue &options) {
        return options.names;
    }
    return {};
}

} // namespace bowhist::app
