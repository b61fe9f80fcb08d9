#include "app/command/tree_option.hpp"

#include <bowhist/core/as_number.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/core/vocabulary.hpp>
#include <bowhist/train/tree_training.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace bowhist::app {
namespace {

constexpr std::size_t most_leaves = std::size_t{1} << VocabularyTree::most_levels;

} // namespace

std::vector<std::size_t> parse_branches(const std::string &text) {
    const auto refuse = [&](const std::string &why) {
        throw CLI::ValidationError("--tree", fmt::format("{}: {}", excerpt(text), why));
    };
    std::vector<std::size_t> branches;
    std::size_t leaves = 1;
    for (std::size_t first = 0; first <= text.size();) {
        const std::size_t end = std::min(text.find('x', first), text.size());
        const auto number = as_number<std::size_t>(text.substr(first, end - first));
        if (!number || *number < 2)
            refuse("takes the children of a node, 2 or more, for each level, such as 32x32 or "
                   "10x10x10");
        if (*number > most_leaves / leaves)
            refuse(fmt::format("has more than {} leaves; give fewer children", most_leaves));
        leaves *= *number;
        branches.push_back(*number);
        first = end + 1;
    }
    if (branches.size() < 2)
        refuse(fmt::format("a tree has two levels or more, such as 32x32; without a tree it is "
                           "-k {}",
                           leaves));
    return branches;
}

std::string as_branches(const std::vector<std::size_t> &branches) {
    return fmt::format("{}", fmt::join(branches, "x"));
}

CLI::Option *add_tree_option(Command &command, TrainOptions &training) {
    return command
        .add_option_function<std::string>(
            "--tree",
            [&training](const std::string &text) {
                training.branches = parse_branches(text);
                training.k = leaves_of(training.branches);
            },
            "In place of -k: divide the descriptors into 32 words, then those of each word into "
            "32, and so on. The last level is the vocabulary; c.bin.tree holds the others, for "
            "--descend")
        ->type_name("32x32");
}

void require_tree_sense(const LearnRequest &request, bool words_given, bool is_model,
                        const std::filesystem::path &plot) {
    if (words_given)
        throw Error(Fault::usage, "--tree and -k both say how many words to learn; leave one out");
    if (is_model) throw Error(Fault::usage, "--tree is for words; leave it out, or --model vlad");
    if (!request.checkpoint.empty())
        throw Error(Fault::usage, "--checkpoint keeps one training, and --tree takes many; leave "
                                  "one out");
    if (!plot.empty())
        throw Error(Fault::usage, "--plot draws one training, and --tree takes many; leave one "
                                  "out");
}

CLI::Option *add_descend_option(Command &command, bool &descends) {
    return command.add_flag(
        "--descend", descends,
        "Find words by the tree that train --tree wrote beside the vocabulary: take the nearest "
        "child at each level. Faster, but not always the nearest word");
}

} // namespace bowhist::app
