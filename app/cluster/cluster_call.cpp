#include "app/cluster/cluster_call.hpp"
#include "app/cluster/cluster_sense.hpp"
#include "app/command/options.hpp"

#include <bowhist/core/as_number.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/library/library.hpp>
#include <bowhist/pictures/picture.hpp>
#include <bowhist/report/page_files.hpp>
#include <bowhist/tables/histograms/groups_file.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace bowhist::app {
namespace {

Resolution millionths(double resolution) {
    constexpr auto most = static_cast<double>(Resolution::most);
    return {std::llrint(std::min(resolution * Resolution::one, most))};
}

/// "3=Beach"
std::pair<std::int32_t, std::string> name_in(const std::string &text) {
    const auto sign = text.find('=');
    const auto number = as_number<std::int32_t>(std::string_view(text).substr(0, sign));
    if (sign == std::string::npos || !number || *number < 0)
        throw CLI::ValidationError("--name", "takes a group's number and its name: 3=Beach");
    return {*number, text.substr(sign + 1)};
}

/// --method, -k, --resolution, which is returned.
const CLI::Option *add_method_options(Command &command, ClusterCall &call) {
    add_choice(command, "--method", call.grouping.method,
               {{"leiden", GroupMethod::leiden},
                {"ward", GroupMethod::ward},
                {"kmeans", GroupMethod::kmeans},
                {"average", GroupMethod::average}},
               "leiden (default), ward, kmeans (spherical) or average (linkage); ward and average "
               "gather more than 22000 pictures around 2048 points first")
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
        add_file(command, "--link", links, "Make a folder of links for each group here")
            ->type_name("DIR"),
        add_file(command, "--copy", copies, "Make a folder of copies for each group here")
            ->type_name("DIR"));
    command
        .add_option("--labels", call.labels,
                    "Compare with labels: folders (the name of each picture's), or a .csv "
                    "(image,label)")
        ->type_name("FILE");
}

/// A folder, an image or descriptors; `.npy` and `.npz` are rows.
bool is_image_input(const std::filesystem::path &path) {
    std::error_code unknown;
    const std::string ending = ending_of(path);
    return std::filesystem::is_directory(path, unknown) || has_image_ending(path) ||
           ending == ".fbin" || ending == ".fvecs";
}

/// Images, or rows: not both.
void take_operands(const std::vector<std::string> &operands, ClusterCall &call) {
    InputSource &inputs = call.model.learn.inputs;
    if (std::ranges::any_of(operands, is_library)) {
        if (operands.size() > 1 || !inputs.list.empty())
            throw Error(Fault::usage, "cluster takes one library, and nothing beside it");
        call.library = operands.front();
        return;
    }
    const auto image = std::ranges::find_if(operands, is_image_input);
    call.of_images = image != operands.end() || !inputs.list.empty();
    if (!call.of_images) {
        call.histograms.assign(operands.begin(), operands.end());
        return;
    }
    const auto rows = std::ranges::find_if(operands, [](const std::filesystem::path &path) {
        constexpr std::array endings{".csv", ".npy", ".npz", ".jsonl", ".tsv"};
        return !is_image_input(path) &&
               std::ranges::find(endings, ending_of(path)) != endings.end();
    });
    if (rows != operands.end())
        throw Error(Fault::usage,
                    fmt::format("{} holds rows, and the other inputs are pictures; give one kind",
                                std::filesystem::path(*rows)));
    inputs.arguments = operands;
    inputs.each_once = true; // an image has one group
}

constexpr const char *examples =
    "  bowhist cluster photos/ --html sheet.html\n"
    "  bowhist cluster -k 12 -o groups.csv --link groups/ photos/\n"
    "  bowhist cluster -o groups.json photos/\n"
    "  bowhist cluster --update groups.json photos/ more/\n"
    "  bowhist --centroids c.bin photos/ | bowhist cluster -o - -\n"
    "\n"
    "INPUT: pictures and folders of them, or files of rows that bowhist wrote\n"
    "(.csv .npy .npz .jsonl), or - for rows on standard input.\n"
    "Of pictures it learns a model, as train --model vlad does (for dense with\n"
    "--patches 8,16,24,32,48,64 --step 8), and groups their codes.\n"
    "groups.csv: image,group,distance; group 0 is the largest. sheet.html shows the\n"
    "pictures by group, all in one file. groups.json may be edited: names, numbers,\n"
    "and which pictures are together. groups.json.npz beside it has model and codes.\n"
    "Of a library, photos.bow, it groups the codes that are there. The library keeps\n"
    "the groups, and a later run continues them.\n"
    "leiden: communities of the graph that joins each picture to its 10 nearest; it\n"
    "finds the number of groups. The others need -k. Color is not used.";

/// --update, --assign
void add_continuing_options(Command &command, ClusterCall &call) {
    command.contradict(
        add_file(command, "--update", call.update,
                 "Continue groups.json with all pictures, old and new: numbers and names stay")
            ->check(ends_in({".json"})),
        add_file(command, "--assign", call.assign,
                 "Only place new pictures in the groups of groups.json")
            ->check(ends_in({".json"})));
}

/// --name, --regroup
void add_library_options(Command &command, ClusterCall &call) {
    command
        .add_option_function<std::vector<std::string>>(
            "--name",
            [&call](const std::vector<std::string> &texts) {
                for (const std::string &text : texts) call.names.insert(name_in(text));
            },
            "Of a library: the name of a group from now on, such as 3=Beach; may be given more "
            "than once")
        ->type_name("GROUP=NAME")
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all();
    command.add_flag("--regroup", call.regroup,
                     "Of a library: group anew; its groups and their names are replaced");
}

/// Sets the fields that follow from the options.
void complete(ClusterCall &call) {
    call.grouping.tree = !call.tree.empty();
    call.grouping.resolution = millionths(call.resolution);
    LearnRequest &learn = call.model.learn;
    learn.training.k = ModelRequest::usual_words;
    learn.training.seed = call.grouping.seed;
    learn.sample = ModelRequest::usual_sample;
    learn.further_outputs = {call.output, page_of(call.page), call.tree};
    if (call.writes_groups()) learn.further_outputs.push_back(codes_path(call.output));
    call.model.fewer_words = true;
}

} // namespace

ClusterCall read_cluster_call(Arguments arguments) {
    // before -- a - is standard input, after it a file
    std::ranges::replace(std::ranges::find(arguments, "--"), arguments.end(), "-", "./-");
    ClusterCall call;
    Command command("cluster", "Groups pictures: those that look alike together.",
                    "[-o groups.csv] [--html sheet.html] INPUT...", examples);
    const CLI::Option *resolution = add_method_options(command, call);
    const CLI::Option *output =
        add_file(command, "-o,--output", call.output,
                 "The table to write (.csv; or -), or groups to continue later (.json)")
            ->check(dash_or_ends_in({".csv", ".json"}));
    add_continuing_options(command, call);
    add_file(command, "--html", call.page,
             "Write a page with the pictures: FILE.html, or DIR/ for a folder with a page")
        ->check(page_place());
    GroupFolders links;
    GroupFolders copies{.folder = {}, .copies = true};
    add_output_options(command, call, links.folder, copies.folder);
    add_library_options(command, call);
    add_number(command, "--seed", call.grouping.seed, 0, "Of the random draws");
    const CLI::Option *normalize_option = add_normalization_option(command, call.normalization);
    LearnRequest &learn = call.model.learn;
    add_level_options(command, learn.level);
    add_recipe_options(command, learn.recipe);
    add_input_options(command, learn.inputs);
    add_stream_options(command, learn.stream);
    add_console_options(command, call.console);
    take_operands(command.parse(arguments), call);
    require_inputs(call);
    if (!given(output)) call.output = call.continued(); // is rewritten
    call.table = !call.output.empty();
    if (call.output == "-") call.output.clear();
    if (!links.folder.empty()) call.folders = links;
    if (!copies.folder.empty()) call.folders = copies;
    call.resolution_given = given(resolution);
    call.normalization_given = given(normalize_option);
    require_sense(call);
    complete(call);
    return call;
}

} // namespace bowhist::app
