// bowhist cluster: histograms in, groups of images out.
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

LevelChoice level_for_kmeans(const ClusterCall &call, const HistogramTable &table, std::size_t k,
                             Console &console) {
    LevelRequest wanted = call.level;
    wanted.options.observer = &console;
    wanted.host_seconds = host_seconds(wanted, table.words, k,
                                       static_cast<double>(table.images.size()) * most_passes);
    LevelChoice level = choose_level(wanted, table.words, k);
    warn_of_unused_device(call.level, level, false, console);
    return level;
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
            groups_.write(groups_csv({images, grouping.group, grouping.distance, grouping.levels}));
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

void say_last_line(const Grouping &grouping, const Agreement *agreement, Console &console) {
    const auto nowhere =
        static_cast<std::size_t>(std::ranges::count(grouping.group, Grouping::nowhere));
    console.last_line(fmt::format("{} in {}{}{}", counted(grouping.group.size(), "picture"),
                                  counted(grouping.groups, "group"),
                                  nowhere > 0 ? fmt::format(", {} nowhere", nowhere) : "",
                                  agreement != nullptr ? figures_of(*agreement) : ""));
}

} // namespace

int cluster_verb(const Arguments &arguments) {
    const ClusterCall call = read_cluster_call(arguments);
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
        LevelChoice level = level_for_kmeans(call, table, k, console);
        level_name = level.name();
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
        warn_of_unused(call.level, "these pictures are grouped without k-means, on the host",
                       console);
    if (grouping.modularity)
        console.note(
            fmt::format("modularity {:.6f} at resolution {:g}", *grouping.modularity,
                        static_cast<double>(grouping.resolution->millionths) / Resolution::one));
    report_groups(grouping, table.images, figures, console);
    say_last_line(grouping, figures, console);
    return 0;
}

} // namespace bowhist::app
