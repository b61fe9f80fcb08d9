#include "app/verbs.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/nearest.hpp>
#include <bowhist/core/printable.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

namespace bowhist::app {
namespace {

struct Verb {
    std::string_view name;
    int (*run)(const Arguments &);
};

int help_verb(const Arguments &arguments);

constexpr std::array verbs{
    Verb{"train", train_verb},     Verb{"extract", extract_verb}, Verb{"assign", assign_verb},
    Verb{"filter", filter_verb},   Verb{"cluster", cluster_verb}, Verb{"devices", devices_verb},
    Verb{"kernels", kernels_verb}, Verb{"bench", bench_verb},     Verb{"help", help_verb}};

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

/// A first word that is no file: meant for a verb when it is nearly one, or when nothing says that
/// histograms are wanted.
bool meant_for_a_verb(const Arguments &arguments) {
    const std::string &word = arguments.front();
    if (word.empty() || word.front() == '-' || could_be_a_file(word)) return false;
    const bool histograms = std::ranges::any_of(
        arguments, [](const std::string &other) { return other.starts_with("--centroids"); });
    return !histograms || !nearest(word, verb_names()).empty();
}

} // namespace

int dispatch(const Arguments &arguments) {
    // Only the first word can be a verb: ./train is a picture.
    if (arguments.empty()) return make_histograms_verb(arguments);
    const auto *const verb = std::ranges::find(verbs, arguments.front(), &Verb::name);
    if (verb != verbs.end()) return verb->run({arguments.begin() + 1, arguments.end()});
    if (meant_for_a_verb(arguments)) refuse(arguments.front(), "verb and no file");
    return make_histograms_verb(arguments);
}

} // namespace bowhist::app
