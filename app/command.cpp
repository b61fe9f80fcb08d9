#include "app/command.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/nearest.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/core/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace bowhist::app {
namespace {

constexpr std::size_t names_width = 30;

/// CLI11's help, with our own first line, as it does not know of the operands, and no line longer
/// than a terminal's.
class HelpFormatter : public CLI::Formatter {
  public:
    explicit HelpFormatter(std::string usage) : usage_(std::move(usage)) {
        column_width(names_width);
        label("REQUIRED", "(required)");
    }
    std::string make_usage(const CLI::App * /*app*/, std::string /*name*/) const override {
        return usage_;
    }

    std::string make_option_desc(const CLI::Option *option) const override {
        return wrapped(CLI::Formatter::make_option_desc(option), terminal_width - names_width);
    }

  private:
    std::string usage_;
};

} // namespace

std::string wrapped(const std::string &text, std::size_t width) {
    std::istringstream words(text);
    std::string lines;
    std::size_t used = 0;
    for (std::string word; words >> word; used += word.size()) {
        const bool fits = used + 1 + word.size() <= width;
        if (used > 0) lines += fits ? ' ' : '\n';
        used = fits && used > 0 ? used + 1 : 0;
        lines += word;
    }
    return lines;
}

Command::Command(const std::string &name, const std::string &purpose, const std::string &operands,
                 const std::string &examples)
    : CLI::App(purpose), takes_operands_(!operands.empty()) {
    const std::string title = name.empty() ? "bowhist" : "bowhist " + name;
    formatter(std::make_shared<HelpFormatter>(
        fmt::format("\nUsage: {} [OPTIONS]{}{}\n", title, operands.empty() ? "" : " ", operands)));
    footer("Examples:\n" + examples);
    allow_extras();
    set_help_flag("-h,--help", "Print this help and exit");
    set_version_flag("--version", std::string(bowhist::version()), "Print the version and exit");
}

std::vector<std::string> Command::parse(const Arguments &arguments) {
    const auto dashes = std::ranges::find(arguments, "--");
    std::vector<std::string> before;
    for (auto word = arguments.begin(); word != dashes; ++word) {
        if (word->empty() && !before.empty()) require_word(before.back());
        const bool is_empty = has_empty_value(*word);
        before.push_back(is_empty ? word->substr(0, word->size() - 1) : *word);
        if (is_empty) before.emplace_back();
    }
    std::ranges::reverse(before); // CLI11 takes them from the back
    try {
        CLI::App::parse(before);
    } catch (const CLI::CallForHelp &) {
        std::fputs(help().c_str(), stdout);
        throw Answered{};
    } catch (const CLI::CallForVersion &) {
        std::fputs(fmt::format("bowhist {}\n", bowhist::version()).c_str(), stdout);
        throw Answered{};
    } catch (const CLI::ParseError &error) {
        refuse_unknown_options(); // a mistyped --output is no missing one
        throw Error(Fault::usage, fmt::format("{}; see --help", printable(error.what())));
    }
    refuse_unknown_options();
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

/// Of `--device=`, as `"--device=$UNSET"` makes it, CLI11 would take the next word for the value.
bool Command::has_empty_value(const std::string &word) const {
    if (!word.starts_with("--") || !word.ends_with('=')) return false;
    const CLI::Option *option = get_option_no_throw(word.substr(0, word.size() - 1));
    return option != nullptr && option->get_items_expected_max() > 0;
}

void Command::refuse_unknown_options() const {
    for (const std::string &word : remaining()) {
        if (word.size() < 2 || word.front() != '-') continue;
        const std::string option = word.substr(0, word.find('='));
        std::vector<std::string> names;
        for (const CLI::Option *known : get_options())
            for (const std::string &name : known->get_lnames()) names.push_back("--" + name);
        const std::string meant = nearest(option, names);
        const std::string advice = meant.empty() ? "see --help (a file of that name goes after --)"
                                                 : "did you mean " + meant + "? See --help";
        throw Error(Fault::usage,
                    fmt::format("there is no option {}; {}", printable(option), advice));
    }
}

} // namespace bowhist::app
