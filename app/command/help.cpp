#include "app/command/help.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

namespace bowhist::app {
namespace {

constexpr std::size_t names_width = 30;

/// CLI11's help, with our own first line, as it does not know of the operands; with the headings in
/// our order, the examples above the options that verbs share; and no line longer than a
/// terminal's.
class HelpFormatter : public CLI::Formatter {
  public:
    explicit HelpFormatter(std::string usage) : usage_(std::move(usage)) {
        column_width(names_width);
        label("REQUIRED", "(required)");
    }

    std::string make_help(const CLI::App *command, std::string /*name*/,
                          CLI::AppFormatMode /*mode*/) const override {
        std::string text = make_description(command) + usage_;
        for (const char *heading : heading::order) {
            const auto options = command->get_options(
                [&](const CLI::Option *option) { return option->get_group() == heading; });
            if (!options.empty()) text += make_group(heading, false, options);
            if (heading == heading::own) text += "\n" + make_footer(command);
        }
        return text;
    }

    /// Without what CLI11 says of the number of values, and of options that go together or do not:
    /// the descriptions say it.
    std::string make_option_opts(const CLI::Option *option) const override {
        std::string text = CLI::Formatter::make_option_opts(option);
        for (const char *added : {" x ", " Needs:", " Excludes:"})
            text.resize(std::min(text.find(added), text.size()));
        return text;
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

Heading::Heading(CLI::App &command, const char *heading)
    : command_(command), before_(command.option_defaults()->get_group()) {
    command.option_defaults()->group(heading);
}

Heading::~Heading() {
    command_.option_defaults()->group(before_);
}

std::shared_ptr<CLI::FormatterBase> help_formatter(const std::string &usage) {
    return std::make_shared<HelpFormatter>(usage);
}

} // namespace bowhist::app
