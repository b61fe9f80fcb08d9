#pragma once

// Every option that more than one verb takes, in one place: its names, its default, its help.

#include "app/command/checks.hpp"
#include "app/command/command.hpp"
#include "app/command/console.hpp"

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/core/histogram.hpp>
#include <bowhist/inputs/inputs.hpp>
#include <bowhist/pictures/picture.hpp>
#include <bowhist/pipeline/recipe.hpp>
#include <bowhist/team/shard.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <ranges>

namespace bowhist::app {

/// An option that takes one of a few words.
template <typename Value>
CLI::Option *add_choice(Command &command, const std::string &names, Value &value,
                        const std::vector<std::pair<std::string, Value>> &choices,
                        const std::string &description) {
    const auto choose = [names, &value, choices](const std::string &word) {
        const auto found = std::ranges::find(choices, word, &std::pair<std::string, Value>::first);
        if (found == choices.end())
            throw CLI::ValidationError(names,
                                       fmt::format("there is no \"{}\"; choose one of: {}", word,
                                                   fmt::join(choices | std::views::keys, ", ")));
        value = found->second;
    };
    return command.add_option_function<std::string>(names, choose, description);
}

/// An option that names a file.
CLI::Option *add_file(Command &command, const std::string &names, std::filesystem::path &path,
                      const std::string &help);

/// A whole number from `least` to `most`; the help shows its default.
template <std::integral Number>
CLI::Option *add_number(Command &command, const std::string &names, Number &value,
                        std::uint64_t least, const std::string &help,
                        std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
    return command.add_option(names, value, help)
        ->check(
            whole_number(least, std::min<std::uint64_t>(most, std::numeric_limits<Number>::max())))
        ->type_name("N")
        ->capture_default_str();
}

/// -q, -v, --progress
void add_console_options(Command &command, ConsoleOptions &options);

/// --device
void add_device_option(Command &command, std::string &device);

/// --device, --kernel-dir: of every verb that runs kernels
void add_device_options(Command &command, std::string &device, std::filesystem::path &kernel_dir);

/// --kernel, --device, --kernel-dir, --batch
void add_level_options(Command &command, LevelRequest &request);

/// --normalize
/// @param with_weights  whether those that need a vocabulary are in the help; they are taken in any
///                      case, for the caller to say how else they are had
CLI::Option *add_normalization_option(Command &command, Normalization &normalization,
                                      bool with_weights = false);

/// --files-from, -0, --exclude, --hidden. Parsing refuses -0 without a list.
void add_input_options(Command &command, InputSource &source);

/// --shard
CLI::Option *add_shard_option(Command &command, std::optional<Shard> &shard);

/// A part where there is a shard, and only there. @throws Error{Fault::usage}
void require_shard_output(const std::optional<Shard> &shard, const std::filesystem::path &output);

/// -j. Holds every thread of the program to it, from reading it on.
void add_thread_option(Command &command, int &threads);

/// --strict
void add_strict_option(Command &command, bool &strict);

/// --max-side, --max-pixels, --max-bytes, --keep-damaged
void add_image_options(Command &command, ImageLimits &limits);

/// -j, --max-pixels, --max-bytes, --keep-damaged, --strict
void add_stream_options(Command &command, StreamOptions &options);

/// --equalize, --blur, --filter. `given` gets the names of those that are on the command line.
void add_preprocessing_options(Command &command, Preprocessing &steps,
                               std::set<std::string_view> &given);

/// --extractor, --upright, --threshold, --max-descriptors, --max-side; --equalize, --blur, --filter
void add_recipe_options(Command &command, RecipeRequest &request);

/// The first of these for one of several descriptions: with "words-" in front, --words-threshold.
void add_extractor_options(Command &command, RecipeRequest &request, const std::string &prefix);

} // namespace bowhist::app
