#include "app/command/command.hpp"
#include "app/command/team.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/nearest.hpp>
#include <bowhist/core/printable.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string_view>

namespace bowhist::app {
namespace {

struct Verb {
    std::string_view name;
    int (*run)(const Arguments &);
    bool shares = false; ///< its work among the ranks of a launcher
};

int help_verb(const Arguments &arguments);

constexpr std::array verbs{Verb{"train", train_verb, true},   Verb{"extract", extract_verb, true},
                           Verb{"assign", assign_verb, true}, Verb{"filter", filter_verb},
                           Verb{"merge", merge_verb},         Verb{"cluster", cluster_verb, true},
                           Verb{"devices", devices_verb},     Verb{"index", index_verb, true},
                           Verb{"status", status_verb},       Verb{"export", export_verb},
                           Verb{"search", search_verb, true}, Verb{"kernels", kernels_verb},
                           Verb{"bench", bench_verb},         Verb{"duplicates", duplicates_verb},
                           Verb{"serve", serve_verb},         Verb{"show", show_verb},
                           Verb{"help", help_verb, true}};

std::vector<std::string> verb_names() {
    std::vector<std::string> names;
    for (const Verb &verb : verbs) names.emplace_back(verb.name);
    return names;
}

/// @throws Error{Fault::usage} naming the verb that was meant, or all there are
[[noreturn]] void refuse(const std::string &word, const char *what) {
    const std::string meant = nearest(word, verb_names());
    throw Error(Fault::usage, fmt::format("there is no {} \"{}\"; {}", what, excerpt(word),
                                          meant.empty() ? fmt::format("the verbs are: {}",
                                                                      fmt::join(verb_names(), ", "))
                                                        : "did you mean " + meant + "?"));
}

int help_verb(const Arguments &arguments) {
    if (arguments.size() > 1) throw Error(Fault::usage, "help takes one verb; see bowhist help");
    const std::string verb = arguments.empty() ? "help" : arguments.front();
    if (verb == "help" || verb == "-h" || verb == "--help") return make_histograms_verb({"--help"});
    const auto *const known = std::ranges::find(verbs, verb, &Verb::name);
    if (known == verbs.end()) refuse(verb, "verb");
    return known->run({"--help"});
}

bool could_be_a_file(const std::string &word) {
    std::error_code unknown; // then there is something that cannot be looked at
    return word.find_first_of("./") != std::string::npos ||
           std::filesystem::symlink_status(word, unknown).type() !=
               std::filesystem::file_type::not_found;
}

bool could_be_a_verb(const std::string &word) {
    return !word.empty() && word.front() != '-' && word.find_first_of("./") == std::string::npos &&
           (std::ranges::find(verbs, word, &Verb::name) != verbs.end() ||
            !nearest(word, verb_names()).empty());
}

/// Whether a word of options has its value in the next word: `-k`, `-vk`, not `-k5` or `--k=5`.
bool wants_a_value(const std::string &word, const std::set<std::string> &with_value) {
    if (word.starts_with("--") || word.size() == 2) return with_value.contains(word);
    for (std::size_t i = 1; i < word.size(); ++i)
        if (with_value.contains({'-', word[i]})) return i + 1 == word.size();
    return false;
}

using Place = Arguments::const_iterator;

/// The first word that is no option and no option's value, if a verb could be meant by it; else
/// the end.
Place place_of_verb(const Arguments &arguments) {
    if (arguments.empty() || !arguments.front().starts_with('-')) return arguments.begin();
    const Place dashes = std::ranges::find(arguments, "--");
    if (std::none_of(arguments.begin(), dashes, could_be_a_verb)) return arguments.end();
    std::set<std::string> with_value = options_with_value(make_histograms_verb);
    for (const Verb &verb : verbs)
        if (verb.run != help_verb) with_value.merge(options_with_value(verb.run));
    Place word = arguments.begin();
    while (word != dashes && word->starts_with('-')) {
        word += wants_a_value(*word, with_value) && word + 1 != dashes ? 2 : 1;
    }
    return word != dashes && could_be_a_verb(*word) ? word : arguments.end();
}

/// Whether help is asked for, which any process can give.
bool asks_for_help(const Arguments &arguments) {
    return std::ranges::any_of(arguments, [](const std::string &word) {
        return word == "-h" || word == "--help" || word == "-V" || word == "--version";
    });
}

int run_verb(const Verb &verb, const Arguments &arguments) {
    if (team().size() > 1 && !verb.shares && !asks_for_help(arguments))
        throw Error(Fault::usage, fmt::format("{} does not share its work among ranks; start it "
                                              "without the launcher",
                                              verb.name));
    return verb.run(arguments);
}

/// A word that is no file: meant for a verb when it is nearly one, or when nothing says that
/// histograms are wanted.
bool meant_for_a_verb(const std::string &word, const Arguments &arguments) {
    if (word.empty() || word.front() == '-' || could_be_a_file(word)) return false;
    const bool histograms = std::ranges::any_of(
        arguments, [](const std::string &other) { return other.starts_with("--centroids"); });
    return !histograms || !nearest(word, verb_names()).empty();
}

} // namespace

int dispatch(const Arguments &arguments) {
    const Place word = place_of_verb(arguments);
    if (word == arguments.end()) return make_histograms_verb(arguments);
    const bool is_first = word == arguments.begin();
    const auto *const verb = std::ranges::find(verbs, *word, &Verb::name);
    if (verb != verbs.end() && (is_first || !could_be_a_file(*word))) {
        Arguments others(word + 1, arguments.end());
        if (verb->run != help_verb) others.insert(others.begin(), arguments.begin(), word);
        return run_verb(*verb, others);
    }
    if (meant_for_a_verb(*word, arguments)) refuse(*word, "verb and no file");
    return make_histograms_verb(arguments);
}

} // namespace bowhist::app
