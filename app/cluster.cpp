// bowhist cluster: histograms in, groups of images out.
#include "app/cluster_memory.hpp"
#include "app/group_folders.hpp"
#include "app/group_report.hpp"
#include "app/options.hpp"
#include "app/summary.hpp"
#include <bowhist/pipeline/output_check.hpp>

#include <bowhist/assign/choose/host_time.hpp>
#include <bowhist/assign/choose/unused_options.hpp>
#include <bowhist/core/counted.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/group/grouping.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/io/free_memory.hpp>
#include <bowhist/report/contact_sheet.hpp>
#include <bowhist/tables/histograms/groups_file.hpp>
#include <bowhist/tables/histograms/histogram_reader.hpp>

#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

namespace bowhist::app {
namespace {

struct ClusterCall {
    std::vector<std::filesystem::path> histograms;
    std::filesystem::path output;
    std::filesystem::path page;
    std::filesystem::path tree;
    std::optional<GroupFolders> folders;
    std::string labels;
    GroupRequest grouping;
    double resolution = 1;
    Normalization normalization = Normalization::hellinger;
    bool normalization_given = false;
    LevelRequest level;
    ConsoleOptions console;
};

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

ClusterCall read_call(Arguments arguments) {
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
    add_file(command, "-o,--output", call.output, "The table to write (.csv; or -)")
        ->required()
        ->check(dash_or_ends_in({".csv"}));
    add_file(command, "--html", call.page, "Write a page with the pictures, too")
        ->check(ends_in({".html"}));
    command.add_flag("--outliers", call.grouping.outliers,
                     "Give pictures that fit nowhere the group -1");
    command.add_flag("--levels", call.grouping.levels,
                     "Groups within groups, too: columns level1, level2 ...");
    add_file(command, "--newick", call.tree, "Write the tree of the groups (.nwk .newick .tree)")
        ->check(ends_in({".nwk", ".newick", ".tree"}));
    std::filesystem::path links;
    std::filesystem::path copies;
    command.contradict(
        add_file(command, "--link", links, "Make a folder of links for each group here"),
        add_file(command, "--copy", copies, "Make a folder of copies for each group here"));
    command
        .add_option("--labels", call.labels,
                    "Compare with labels: folders (the name of each picture's), or a .csv "
                    "(image,label)")
        ->type_name("FILE");
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
    if (!links.empty()) call.folders = GroupFolders{links, false};
    if (!copies.empty()) call.folders = GroupFolders{copies, true};
    call.grouping.tree = !call.tree.empty();
    Paths read = call.histograms;
    if (!call.labels.empty() && call.labels != "folders") read.emplace_back(call.labels);
    check_outputs({call.output, call.page, call.tree}, read);
    call.normalization_given = given(normalize_option);
    require_groups(call, given(resolution));
    call.grouping.resolution = millionths(call.resolution);
    return call;
}

/// Counts become features, in their place; what was normalised already stays as it is.
std::vector<float> features_of(HistogramTable &table, Normalization normalization) {
    std::vector<float> features = std::exchange(table.values, {});
    if (table.content == HistogramContent::normalized) return features;
    std::vector<std::uint32_t> counts(table.words);
    for (std::size_t row = 0; row < table.images.size(); ++row) {
        const std::span values = std::span(features).subspan(row * table.words, table.words);
        std::ranges::transform(values, counts.begin(), [](float count) {
            constexpr double most = std::numeric_limits<std::uint32_t>::max(); // 2^32 as a float
            return static_cast<std::uint32_t>(std::min<double>(count, most));
        });
        std::ranges::copy(normalize(counts, normalization), values.begin());
    }
    return features;
}

/// Of k-means over the histograms.
constexpr double most_passes = 10;

/// Whether a level that was named is on a device; what auto takes shows when k is known.
bool asks_for_device(const LevelRequest &level) {
    return level.level != "auto" && find_level(level.level).on_device;
}

/// All files of the verb. All or none: all are whole before the first appears, and a table that is
/// printed, which cannot be taken back, comes last.
class Outputs {
  public:
    explicit Outputs(const ClusterCall &call)
        : folders_(call.folders), groups_(file_or_standard_output(call.output)) {
        if (!call.page.empty()) page_.emplace(call.page);
        if (!call.tree.empty()) tree_.emplace(call.tree);
    }

    void write(const std::vector<std::string> &images, const Grouping &grouping,
               const Agreement *agreement, Console &console) {
        if (page_) {
            write_contact_sheet(*page_, images, grouping, agreement, console);
            page_->close();
        }
        if (tree_) {
            write_newick(*grouping.tree, images,
                         [&](std::string_view text) { tree_->write(text); });
            tree_->close();
        }
        const auto write_table = [&] {
            write_groups(groups_, {images, grouping.group, grouping.distance, grouping.levels});
            groups_.close();
        };
        if (!groups_.written_directly()) write_table();
        if (folders_) write_group_folders(*folders_, images, grouping, console);
        if (page_) page_->commit();
        if (tree_) tree_->commit();
        if (groups_.written_directly()) write_table();
        groups_.commit();
    }

  private:
    std::optional<GroupFolders> folders_;
    AtomicFile groups_;
    std::optional<AtomicFile> page_;
    std::optional<AtomicFile> tree_;
};

} // namespace

int cluster_verb(const Arguments &arguments) {
    const ClusterCall call = read_call(arguments);
    Console console(call.console);
    const ClusterPlan plan{&call.grouping, !call.page.empty(), asks_for_device(call.level)};
    HistogramTable table =
        read_histograms(call.histograms, [&](const std::string &file, const TableSize &size) {
            require_memory(plan, file, size);
        });
    if (table.content == HistogramContent::normalized && call.normalization_given)
        throw Error(Fault::usage,
                    fmt::format("{} is normalised already; leave out --normalize", table.file));
    const IntegerRows rows = integer_rows(features_of(table, call.normalization), table.words);
    std::string level_name;
    GroupRequest request = call.grouping;
    request.memory = obtainable_memory() / 2;
    request.choose = [&](std::size_t k) {
        LevelRequest wanted = call.level;
        wanted.options.observer = &console;
        wanted.host_seconds = host_seconds(wanted, table.words, k,
                                           static_cast<double>(table.images.size()) * most_passes);
        LevelChoice level = choose_level(wanted, table.words, k);
        level_name = level.name();
        warn_of_unused_device(call.level, level, false, console);
        return level;
    };
    if (call.folders) require_empty(*call.folders);
    Outputs outputs(call);
    const Grouping grouping = group_rows(rows, request, console);
    if (grouping.groups < request.groups)
        console.warning(fmt::format("{} instead of {}: too few histograms differ once normalised; "
                                    "give a smaller -k",
                                    counted(grouping.groups, "group"), request.groups));
    std::optional<Agreement> agreed;
    if (!call.labels.empty())
        agreed = agreement(grouping.group, labels_of(call.labels, table.images, console));
    const Agreement *figures = agreed ? &*agreed : nullptr;
    outputs.write(table.images, grouping, figures, console);
    if (!level_name.empty())
        note_report(console, level_name, grouping.report, "assignments of pictures");
    else
        warn_of_unused({call.level.device, call.level.kernel_dir, call.level.options.batch},
                       "these pictures are grouped without k-means, on the host", console);
    if (grouping.modularity)
        console.note(
            fmt::format("modularity {:.6f} at resolution {:g}", *grouping.modularity,
                        static_cast<double>(grouping.resolution->millionths) / Resolution::one));
    report_groups(grouping, table.images, figures, console);
    const auto nowhere =
        static_cast<std::size_t>(std::ranges::count(grouping.group, Grouping::nowhere));
    console.last_line(fmt::format("{} in {}{}{}", counted(table.images.size(), "picture"),
                                  counted(grouping.groups, "group"),
                                  nowhere > 0 ? fmt::format(", {} nowhere", nowhere) : "",
                                  agreed ? figures_of(*agreed) : ""));
    return 0;
}

} // namespace bowhist::app
