// bowhist cluster: images or their rows in, groups of images out.
#include "app/cluster_call.hpp"
#include "app/cluster_memory.hpp"
#include "app/group_report.hpp"
#include "app/options.hpp"
#include "app/summary.hpp"

#include <bowhist/assign/choose/unused_options.hpp>
#include <bowhist/core/counted.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/group/grouping.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/io/free_memory.hpp>
#include <bowhist/report/contact_sheet.hpp>
#include <bowhist/tables/histograms/groups_file.hpp>
#include <bowhist/tables/histograms/histogram_reader.hpp>

#include <limits>
#include <optional>
#include <span>
#include <utility>

namespace bowhist::app {
namespace {

/// Counts become features, in their place; what was normalised already stays as it is.
std::vector<float> features_of(HistogramTable &table, Normalization normalization) {
    std::vector<float> features = std::exchange(table.values, {});
    if (table.content != HistogramContent::counts && table.content != HistogramContent::either)
        return features;
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

LevelChoice level_for_kmeans(const ClusterCall &call, const IntegerRows &rows, std::size_t k,
                             Console &console) {
    LevelRequest wanted = call.level();
    wanted.options.observer = &console;
    wanted.host_seconds =
        host_seconds(wanted, rows.dimensions, k, static_cast<double>(rows.size()) * most_passes);
    LevelChoice level = choose_level(wanted, rows.dimensions, k);
    warn_of_unused_device(call.level(), level, false, console);
    return level;
}

/// What is grouped.
struct Subjects {
    std::vector<std::string> images;
    IntegerRows rows;
    std::optional<InputSummary> inputs = {}; ///< of images
};

/// Codes, which are as they are; or features of histograms.
IntegerRows rows_of(HistogramTable &table, Normalization normalization) {
    if (table.content == HistogramContent::codes)
        return {table.words, {table.values.begin(), table.values.end()}};
    return integer_rows(features_of(table, normalization), table.words);
}

Subjects read_subjects(const ClusterCall &call) {
    const ClusterPlan plan{&call.grouping, !call.page.empty(), asks_for_device(call.level())};
    HistogramTable table =
        read_histograms(call.histograms, [&](const std::string &file, const TableSize &size) {
            require_memory(plan, file, size);
        });
    if (table.content != HistogramContent::counts && table.content != HistogramContent::either &&
        call.normalization_given)
        throw Error(Fault::usage,
                    fmt::format("{} is normalised already; leave out --normalize", table.file));
    IntegerRows rows = rows_of(table, call.normalization);
    return {std::move(table.images), std::move(rows)};
}

Subjects code_subjects(const ClusterCall &call, Console &console) {
    CodedImages coded = learn_codes(call.model, console);
    note_report(console, coded.level.name(), coded.report);
    const auto &values = coded.codes.values;
    return {std::move(coded.images),
            {coded.codes.dimensions, {values.begin(), values.end()}},
            std::move(coded.inputs)};
}

/// All files of the verb. All or none: all are whole before the first appears, and a table that is
/// printed, which cannot be taken back, comes last.
class Outputs {
  public:
    explicit Outputs(const ClusterCall &call) : folders_(call.folders) {
        if (call.table) groups_.emplace(file_or_standard_output(call.output));
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
            groups_->write(
                groups_csv({images, grouping.group, grouping.distance, grouping.levels}));
            groups_->close();
        };
        const bool printed = groups_ && groups_->written_directly();
        if (groups_ && !printed) write_table();
        if (folders_) write_group_folders(*folders_, images, grouping, console);
        if (page_) page_->commit();
        if (tree_) tree_->commit();
        if (printed) write_table();
        if (groups_) groups_->commit();
    }

  private:
    std::optional<GroupFolders> folders_;
    std::optional<AtomicFile> groups_;
    std::optional<AtomicFile> page_;
    std::optional<AtomicFile> tree_;
};

std::string result_of(const Grouping &grouping, const Agreement *agreement) {
    const auto nowhere =
        static_cast<std::size_t>(std::ranges::count(grouping.group, Grouping::nowhere));
    return fmt::format("{} in {}{}{}", counted(grouping.group.size(), "picture"),
                       counted(grouping.groups, "group"),
                       nowhere > 0 ? fmt::format(", {} nowhere", nowhere) : "",
                       agreement != nullptr ? figures_of(*agreement) : "");
}

void note_grouping(const Grouping &grouping, const std::string &level_name, const ClusterCall &call,
                   Console &console) {
    if (!level_name.empty())
        note_report(console, level_name, grouping.report, "assignments of pictures");
    else if (!call.of_images)
        warn_of_unused(call.level(), "these pictures are grouped without k-means, on the host",
                       console);
    if (grouping.modularity)
        console.note(
            fmt::format("modularity {:.6f} at resolution {:g}", *grouping.modularity,
                        static_cast<double>(grouping.resolution->millionths) / Resolution::one));
}

} // namespace

int cluster_verb(const Arguments &arguments) {
    const ClusterCall call = read_cluster_call(arguments);
    Console console(call.console);
    if (call.folders) require_empty(*call.folders);
    Outputs outputs(call);
    const Subjects subjects = call.of_images ? code_subjects(call, console) : read_subjects(call);
    std::string level_name;
    GroupRequest request = call.grouping;
    request.memory = obtainable_memory() / 2;
    request.choose = [&](std::size_t k) {
        LevelChoice level = level_for_kmeans(call, subjects.rows, k, console);
        level_name = level.name();
        return level;
    };
    const Grouping grouping = group_rows(subjects.rows, request, console);
    if (grouping.groups < request.groups)
        console.warning(fmt::format("{} instead of {}: too few {} differ; give a smaller -k",
                                    counted(grouping.groups, "group"), request.groups,
                                    call.of_images ? "pictures" : "histograms"));
    std::optional<Agreement> agreed;
    if (!call.labels.empty())
        agreed = agreement(grouping.group, labels_of(call.labels, subjects.images, console));
    const Agreement *figures = agreed ? &*agreed : nullptr;
    outputs.write(subjects.images, grouping, figures, console);
    note_grouping(grouping, level_name, call, console);
    report_groups(grouping, subjects.images, figures, console);
    const std::string result = result_of(grouping, figures);
    if (subjects.inputs) return summarize(*subjects.inputs, console, result);
    console.last_line(result);
    return 0;
}

} // namespace bowhist::app
