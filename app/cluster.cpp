// bowhist cluster: images or their rows in, groups of images out.
#include "app/cluster_call.hpp"
#include "app/cluster_neighbors.hpp"
#include "app/cluster_subjects.hpp"
#include "app/group_report.hpp"
#include "app/options.hpp"
#include "app/summary.hpp"

#include <bowhist/assign/choose/unused_options.hpp>
#include <bowhist/core/counted.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/group/device_neighbors.hpp>
#include <bowhist/group/grouping.hpp>
#include <bowhist/group/kept_numbers.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/io/free_memory.hpp>
#include <bowhist/report/contact_sheet.hpp>
#include <bowhist/tables/histograms/groups_file.hpp>
#include <bowhist/tables/vocabulary/model_file.hpp>

#include <limits>
#include <optional>
#include <span>
#include <utility>

namespace bowhist::app {
namespace {

/// Of k-means over the histograms.
constexpr double most_passes = 10;

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

StoredGroups stored_groups(const Subjects &subjects, const Grouping &grouping) {
    StoredGroups stored{.resolution = grouping.resolution ? grouping.resolution->millionths
                                                          : subjects.groups.resolution,
                        .model = subjects.model->fingerprint};
    for (std::size_t group = 0; group < grouping.groups; ++group)
        stored.groups.push_back({static_cast<std::int32_t>(group),
                                 group < grouping.names.size() ? grouping.names[group] : "",
                                 {}});
    for (std::size_t i = 0; i < subjects.images.size(); ++i)
        (grouping.group[i] < 0 ? stored.nowhere
                               : stored.groups[static_cast<std::size_t>(grouping.group[i])].images)
            .push_back(subjects.images[i]);
    std::erase_if(stored.groups, [](const StoredGroup &group) { return group.images.empty(); });
    return stored;
}

/// groups.json.npz
void write_codes(const std::filesystem::path &groups, const Subjects &subjects) {
    StoredCodes codes{.images = subjects.images,
                      .stamps = subjects.stamps,
                      .codes = {subjects.rows.dimensions, {}}};
    for (const std::int16_t value : subjects.rows.values)
        codes.codes.values.push_back(static_cast<std::int8_t>(value));
    write_model(codes_path(groups), *subjects.model, &codes);
}

/// All files of the verb. All or none: all are whole before the first appears, and a table that is
/// printed, which cannot be taken back, comes last.
class Outputs {
  public:
    explicit Outputs(const ClusterCall &call)
        : writes_groups_(call.writes_groups()), folders_(call.folders) {
        if (call.table) groups_.emplace(file_or_standard_output(call.output));
        if (!call.page.empty()) page_.emplace(call.page);
        if (!call.tree.empty()) tree_.emplace(call.tree);
    }

    void write(const Subjects &subjects, const Grouping &grouping, const Agreement *agreement,
               Console &console) {
        const std::vector<std::string> &images = subjects.images;
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
            groups_->write(writes_groups_ ? groups_json(stored_groups(subjects, grouping))
                                          : groups_csv({images, grouping.group, grouping.distance,
                                                        grouping.levels}));
            groups_->close();
        };
        const bool printed = groups_ && groups_->written_directly();
        if (groups_ && !printed) write_table();
        if (folders_) write_group_folders(*folders_, images, grouping, console);
        if (writes_groups_) write_codes(groups_->destination(), subjects);
        if (page_) page_->commit();
        if (tree_) tree_->commit();
        if (printed) write_table();
        if (groups_) groups_->commit();
    }

  private:
    bool writes_groups_;
    std::optional<GroupFolders> folders_;
    std::optional<AtomicFile> groups_;
    std::optional<AtomicFile> page_;
    std::optional<AtomicFile> tree_;
};

std::string result_of(const Grouping &grouping, const Agreement *agreement) {
    const auto nowhere =
        static_cast<std::size_t>(std::ranges::count(grouping.group, Grouping::nowhere));
    return fmt::format("{} in {}{}{}", counted(grouping.group.size(), "picture"),
                       counted(grouping.filled(), "group"),
                       nowhere > 0 ? fmt::format(", {} nowhere", nowhere) : "",
                       agreement != nullptr ? figures_of(*agreement) : "");
}

/// What computed the groups, in messages; empty: the host alone.
struct Means {
    std::string level = {};
    bool device = false; ///< found the neighbors
};

void note_grouping(const Grouping &grouping, const Means &means, const ClusterCall &call,
                   Console &console) {
    if (!means.level.empty())
        note_report(console, means.level, grouping.report, "assignments of pictures");
    else if (!call.of_images && !means.device)
        warn_of_unused(call.level(), "these pictures are grouped without k-means, on the host",
                       console);
    if (grouping.modularity)
        console.note(
            fmt::format("modularity {:.6f} at resolution {:g}", *grouping.modularity,
                        static_cast<double>(grouping.resolution->millionths) / Resolution::one));
}

/// The names of the groups that are continued, by number.
std::vector<std::string> names_of(const StoredGroups &groups, std::size_t count) {
    std::vector<std::string> names(count);
    for (const StoredGroup &group : groups.groups)
        if (static_cast<std::size_t>(group.number) < count)
            names[static_cast<std::size_t>(group.number)] = group.name;
    return names;
}

Grouping group(const ClusterCall &call, const Subjects &subjects, Means &means, Console &console) {
    const FindNeighbors find_neighbors = [&](const IntegerRows &rows, std::size_t most,
                                             Observer &observer) {
        const auto device = device_for_neighbors(call, rows, console);
        means.device = device != nullptr;
        return neighbors_on(device)(rows, most, observer);
    };
    if (!call.assign.empty())
        return place_rows(subjects.rows, subjects.before, subjects.is_new, find_neighbors, console);
    GroupRequest request = call.grouping;
    request.find_neighbors = find_neighbors;
    request.memory = obtainable_memory() / 2;
    request.start = subjects.before;
    if (!call.update.empty() && !call.resolution_given)
        request.resolution.millionths = subjects.groups.resolution;
    request.choose = [&](std::size_t k) {
        LevelChoice level = level_for_kmeans(call, subjects.rows, k, console);
        means.level = level.name();
        return level;
    };
    Grouping grouping = group_rows(subjects.rows, request, console);
    if (grouping.filled() < request.groups)
        console.warning(
            fmt::format("{} instead of {}: too few {}; give a smaller -k",
                        counted(grouping.filled(), "group"), request.groups,
                        call.of_images ? "pictures differ" : "histograms differ once normalised"));
    return grouping;
}

} // namespace

int cluster_verb(const Arguments &arguments) {
    const ClusterCall call = read_cluster_call(arguments);
    Console console(call.console);
    if (call.folders) require_empty(*call.folders);
    Outputs outputs(call);
    const Subjects subjects = read_subjects(call, console);
    Means means;
    Grouping grouping = group(call, subjects, means, console);
    if (!call.continued().empty()) {
        grouping.names = names_of(subjects.groups, grouping.groups);
        for (const std::string &line : changes(subjects.before, grouping.group)) console.line(line);
    }
    std::optional<Agreement> agreed;
    if (!call.labels.empty())
        agreed = agreement(grouping.group, labels_of(call.labels, subjects.images, console));
    const Agreement *figures = agreed ? &*agreed : nullptr;
    outputs.write(subjects, grouping, figures, console);
    note_grouping(grouping, means, call, console);
    report_groups(grouping, subjects.images, figures, console);
    const std::string result = result_of(grouping, figures);
    if (subjects.inputs) return summarize(*subjects.inputs, console, result);
    console.last_line(result);
    return 0;
}

} // namespace bowhist::app
