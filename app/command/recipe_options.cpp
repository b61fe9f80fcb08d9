#include "app/command/options.hpp"

namespace bowhist::app {
namespace {

/// "akaze 0.001" of each extractor.
std::vector<std::string> default_thresholds() {
    std::vector<std::string> texts;
    for (const std::string_view name : extractor_names())
        texts.push_back(fmt::format("{} {}", name, default_threshold(name)));
    return texts;
}

// A recipe's option, by the type of its value.
CLI::Option *add(Command &command, const std::string &flag, const RecipeOption & /*option*/,
                 bool &value) {
    return command.add_flag(flag, value);
}
CLI::Option *add(Command &command, const std::string &flag, const RecipeOption & /*option*/,
                 std::string &value) {
    return command.add_option(flag, value);
}
CLI::Option *add(Command &command, const std::string &flag, const RecipeOption & /*option*/,
                 double &value) {
    return command.add_option(flag, value)->check(finite_from_zero("the extractor's own"));
}
template <std::integral Whole>
CLI::Option *add(Command &command, const std::string &flag, const RecipeOption &option,
                 Whole &value) {
    CLI::Option *added = add_number(command, flag, value, option.least, "", option.most);
    return value < Whole{} ? added->default_str("") : added; // the help names the default
}

std::string help_of(const RecipeOption &option) {
    return fmt::format(
        fmt::runtime(option.help), fmt::arg("extractors", fmt::join(extractor_names(), ", ")),
        fmt::arg("thresholds", fmt::join(default_thresholds(), ", ")),
        fmt::arg("sides", fmt::format(" (default: dense {}, others {})", Recipe{}.largest_side(),
                                      Recipe{"surf"}.largest_side())));
}

} // namespace

void add_recipe_options(Command &command, RecipeRequest &request) {
    const Heading under(command, heading::extractor);
    add_extractor_options(command, request, "");
    const Heading under_images(command, heading::images);
    add_preprocessing_options(command, request.recipe.preprocessing, request.given);
}

void add_extractor_options(Command &command, RecipeRequest &request, const std::string &prefix) {
    for (const RecipeOption &option : recipe_options) {
        const std::string flag = "--" + prefix + (option.flag + 2);
        const auto add_member = [&](auto member) {
            return add(command, flag, option, request.recipe.*member);
        };
        std::visit(add_member, option.member)
            ->type_name(option.type_name)
            ->description(prefix.empty() ? help_of(option)
                                         : fmt::format("{} of {}", option.flag,
                                                       prefix.substr(0, prefix.size() - 1)))
            ->each([&given = request.given, flag = option.flag](const std::string &) {
                given.insert(flag);
            });
    }
}

void add_preprocessing_options(Command &command, Preprocessing &steps,
                               std::set<std::string_view> &given) {
    command
        .add_flag("--equalize", steps.equalize,
                  "First spread a picture's gray values over the whole range")
        ->each([&given](const std::string &) { given.insert("--equalize"); });
    command
        .add_option("--blur", steps.blur_sigma,
                    fmt::format("Then blur it by a Gaussian of SIGMA pixels, {} to {}; 0: none",
                                smallest_blur_sigma, largest_blur_sigma))
        ->check(none_or_within(smallest_blur_sigma, largest_blur_sigma))
        ->each([&given](const std::string &) { given.insert("--blur"); })
        ->type_name("SIGMA");
    command
        .add_option_function<std::string>(
            "--filter",
            [&steps, &given](const std::string &word) {
                steps.filter_name = word;
                steps.filter = find_filter(word);
                given.insert("--filter");
            },
            "Then filter it: sobel-x, sobel-y, box:5 and more (see filter --help), or a file of "
            "weights")
        ->type_name("NAME|FILE");
}

} // namespace bowhist::app
