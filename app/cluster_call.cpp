#include "app/cluster_call.hpp"
#include "app/options.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/pipeline/output_check.hpp>

#include <algorithm>
#include <cmath>

namespace bowhist::app {
namespace {

Resolution millionths(double resolution) {
    constexpr auto most = static_cast<double>(Resolution::most);
    return {std::llrint(std::min(resolution * Resolution::one, most))};
}

/// Only leiden finds their number.
void require_groups(const ClusterCall &call, bool resolution_given) {
    if (call.grouping.method == GroupMethod::leiden) return;
    if (resolution_given)
        throw Error(Fault::usage, "--resolution is leiden's; leave it out, or --method");
    if (call.grouping.groups == 0)
        throw Error(
            Fault::usage,
            "-k K is missing: of all methods only leiden finds the number of groups; add it");
}

/// --method, -k, --resolution, which is returned.
const CLI::Option *add_method_options(Command &command, ClusterCall &call) {
    add_choice(command, "--method", call.grouping.method,
               {{"leiden", GroupMethod::leiden},
                {"ward", GroupMethod::ward},
                {"kmeans", GroupMethod::kmeans},
                {"average", GroupMethod::average}},
               "leiden (default), ward, kmeans (spherical) or average (linkage)")
        ->type_name("HOW");
    const CLI::Option *groups =
        command.add_option("-k", call.grouping.groups, "Groups to make (default: leiden's own)")
            ->check(whole_number(1))
            ->type_name("K");
    const CLI::Option *resolution =
        command
            .add_option("--resolution", call.resolution, "Of leiden: higher ones give more groups")
            ->check(finite_from_zero())
            ->type_name("R")
            ->capture_default_str();
    command.contradict(groups, resolution);
    return resolution;
}

/// --outliers, --levels, --newick, --link, --copy, --labels
void add_output_options(Command &command, ClusterCall &call, std::filesystem::path &links,
                        std::filesystem::path &copies) {
    command.add_flag("--outliers", call.grouping.outliers,
                     "Give pictures that fit nowhere the group -1");
    command.add_flag("--levels", call.grouping.levels,
                     "Groups within groups, too: columns level1, level2 ...");
    add_file(command, "--newick", call.tree, "Write the tree of the groups (.nwk .newick .tree)")
        ->check(ends_in({".nwk", ".newick", ".tree"}));
    command.contradict(
        add_file(command, "--link", links, "Make a folder of links for each group here"),
        add_file(command, "--copy", copies, "Make a folder of copies for each group here"));
    command
        .add_option("--labels", call.labels,
                    "Compare with labels: folders (the name of each picture's), or a .csv "
                    "(image,label)")
        ->type_name("FILE");
}

} // namespace

ClusterCall read_cluster_call(Arguments arguments) {
    // before -- a - is standard input, after it a file
    std::ranges::replace(std::ranges::find(arguments, "--"), arguments.end(), "-", "./-");
    ClusterCall call;
    Command command(
        "cluster", "Groups pictures by their histograms.", "-o groups.csv HISTOGRAMS...",
        "  bowhist cluster -o groups.csv --html sheet.html histograms.npz\n"
        "  bowhist cluster -k 12 -o groups.csv may.csv june.csv\n"
        "  bowhist --centroids c.bin photos/ | bowhist cluster -o - -\n"
        "\n"
        "HISTOGRAMS: files that bowhist wrote (.csv .npy .npz .jsonl), or - for standard\n"
        "input; of one vocabulary and normalised alike. groups.csv: image,group,distance;\n"
        "group 0 is the largest. sheet.html shows the pictures by group, all in one file.\n"
        "leiden: communities of the graph that joins each picture to its 10 nearest; it\n"
        "finds the number of groups. The others need -k. --seed, --kernel, --device and\n"
        "--batch are k-means'; ward and average use it where memory is short.");
    const CLI::Option *resolution = add_method_options(command, call);
    add_file(command, "-o,--output", call.output, "The table to write (.csv; or -)")
        ->required()
        ->check(dash_or_ends_in({".csv"}));
    add_file(command, "--html", call.page, "Write a page with the pictures, too")
        ->check(ends_in({".html"}));
    GroupFolders links;
    GroupFolders copies{.folder = {}, .copies = true};
    add_output_options(command, call, links.folder, copies.folder);
    add_number(command, "--seed", call.grouping.seed, 0, "Of the random draws");
    const CLI::Option *normalize_option = add_normalization_option(command, call.normalization);
    add_level_options(command, call.level);
    add_console_options(command, call.console);
    for (const std::string &operand : command.parse(arguments))
        call.histograms.emplace_back(operand);
    if (call.histograms.empty())
        throw Error(Fault::usage,
                    "there are no HISTOGRAMS; name files that bowhist wrote, or - for "
                    "standard input");
    if (std::ranges::count(call.histograms, "-") > 1)
        throw Error(Fault::usage, "standard input can be read once; name - once");
    if (call.output == "-") call.output.clear();
    if (!links.folder.empty()) call.folders = links;
    if (!copies.folder.empty()) call.folders = copies;
    call.grouping.tree = !call.tree.empty();
    Paths read = call.histograms;
    if (!call.labels.empty() && call.labels != "folders") read.emplace_back(call.labels);
    check_outputs({call.output, call.page, call.tree}, read);
    call.normalization_given = given(normalize_option);
    require_groups(call, given(resolution));
    call.grouping.resolution = millionths(call.resolution);
    return call;
}

} // namespace bowhist::app
