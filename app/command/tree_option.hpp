#pragma once

// --tree and --descend: vocabulary trees.

#include "app/command/command.hpp"

#include <bowhist/learn/learn.hpp>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace bowhist::app {

/// "32x32": at most how many children each node of a level has.
/// @throws CLI::ValidationError
std::vector<std::size_t> parse_branches(const std::string &text);
std::string as_branches(const std::vector<std::size_t> &branches);

/// --tree. Sets k to the number of leaves.
CLI::Option *add_tree_option(Command &command, TrainOptions &training);

/// Refuses options that --tree cannot be combined with. @throws Error{Fault::usage}
void require_tree_sense(const LearnRequest &request, bool words_given, bool is_model,
                        const std::filesystem::path &plot);

/// --descend
CLI::Option *add_descend_option(Command &command, bool &descends);

} // namespace bowhist::app
