// bowhist cluster: images or their rows in, groups of images out.
#include "app/cluster/cluster_call.hpp"
#include "app/cluster/cluster_library.hpp"
#include "app/cluster/cluster_neighbors.hpp"
#include "app/cluster/cluster_outputs.hpp"
#include "app/cluster/cluster_subjects.hpp"
#include "app/cluster/group_report.hpp"
#include "app/command/options.hpp"
#include "app/command/summary.hpp"
#include "app/command/team.hpp"
#include "app/shared_inputs.hpp"

#include <bowhist/assign/choose/unused_options.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/group/device_neighbors.hpp>
#include <bowhist/group/distinctive_words.hpp>
#include <bowhist/group/grouping.hpp>
#include <bowhist/group/kept_numbers.hpp>
#include <bowhist/io/free_memory.hpp>
#include <bowhist/tables/descriptors/descriptor_file.hpp>

#include <limits>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace bowhist::app {
namespace {

/// Passes over the histograms that k-means takes, as guessed for the choice of a level.
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

std::size_t nowhere_of(const Grouping &grouping) {
    return static_cast<std::size_t>(std::ranges::count(grouping.group, Grouping::nowhere));
}

std::string result_of(const Grouping &grouping, const Agreement *agreement) {
    const std::size_t nowhere = nowhere_of(grouping);
    return fmt::format("{} in {}{}{}", counted(grouping.group.size(), "picture"),
                       counted(grouping.filled(), "group"),
                       nowhere > 0 ? fmt::format(", {} nowhere", nowhere) : "",
                       agreement != nullptr ? figures_of(*agreement) : "");
}

/// The level and device that computed the groups, for messages; empty: the host alone.
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

/// The names of the groups that are continued, by number. A new group does not take the name of one
/// that has lost its images.
std::vector<std::string> names_of(const Subjects &subjects, std::size_t count) {
    const std::set<std::int32_t> continued(subjects.before.begin(), subjects.before.end());
    std::vector<std::string> names(count);
    for (const StoredGroup &group : subjects.groups.groups)
        if (continued.contains(group.number))
            names[static_cast<std::size_t>(group.number)] = group.name;
    return names;
}

void report_changes(const Subjects &subjects, const Grouping &grouping, Console &console) {
    for (const std::string &line : changes(subjects.before, grouping.group)) console.line(line);
    const std::string line = new_images(subjects.is_new, grouping.group);
    if (!line.empty()) console.line(line);
}

void report_held(const Subjects &subjects, Console &console) {
    const auto held = std::ranges::count(subjects.held, true);
    if (held > 0)
        console.line(held == 1
                         ? "1 picture stays where it was moved by hand"
                         : fmt::format("{} pictures stay where they were moved by hand", held));
}

Grouping group(const ClusterCall &call, const Subjects &subjects, Means &means, Console &console) {
    if (!call.assign.empty())
        return place_rows(subjects.rows, subjects.before, subjects.is_new, console);
    GroupRequest request = call.grouping;
    request.find_neighbors = [&](const IntegerRows &rows, std::size_t most, Observer &observer) {
        const auto device = device_for_neighbors(call, rows, console);
        means.device = device != nullptr;
        return neighbors_on(device)(rows, most, observer);
    };
    request.memory = obtainable_memory();
    request.start = subjects.before;
    request.held = subjects.held;
    const bool continues = !call.update.empty() || !subjects.before.empty();
    if (continues && !call.resolution_given)
        request.resolution.millionths = subjects.groups.resolution;
    request.choose = [&](std::size_t k) {
        LevelChoice level = level_for_kmeans(call, subjects.rows, k, console);
        means.level = level.name();
        return level;
    };
    Grouping grouping = group_rows(subjects.rows, request, console);
    report_held(subjects, console);
    if (request.levels && grouping.levels.empty())
        console.warning("no group divides further, so there is no level1");
    if (grouping.filled() < request.groups)
        console.warning(
            fmt::format("{} instead of {}: too few {}{}; give a smaller -k",
                        counted(grouping.filled(), "group"), request.groups,
                        call.of_images ? "pictures differ" : "histograms differ once normalised",
                        nowhere_of(grouping) > 0 ? ", without those nowhere" : ""));
    return grouping;
}

/// Requires a label for at least one image, unless an input is a descriptor file: its image is not
/// known by a path. Images of groups.json may have labels too, so continued groups are not checked.
void require_labels(const Labels &labels, const ClusterCall &call, const InputList &list) {
    std::vector<std::string> images;
    for (const Input &input : list.inputs) {
        if (is_descriptor_file(input.path)) return;
        images.push_back(input.path.native());
    }
    if (call.continued().empty()) labels.require_any(images);
}

/// The part of ranks above 0: they help to learn and to encode. Rank 0 groups.
int share_codes(const ClusterCall &call, Console &console) {
    read_subjects(call, console);
    console.gather_lines();
    return 0;
}

} // namespace

int cluster_verb(const Arguments &arguments) {
    ClusterCall call = read_cluster_call(arguments);
    const Labels labels(call.labels);
    const bool is_shared = team().size() > 1 && call.of_images && call.continued().empty();
    if (is_shared) share_inputs(call.model.learn.inputs);
    const auto share = call.model.learn.inputs.listed;
    call.model.learn.inputs.listed = [&](const InputList &list) {
        if (share) share(list);
        require_enough(list.inputs.size(), call.grouping.groups);
        require_labels(labels, call, list);
    };
    Console console(call.console);
    call.model.learn.team = is_shared ? &team() : &one_process();
    if (team().rank() > 0) return is_shared ? share_codes(call, console) : 0;
    if (call.folders) {
        require_empty(*call.folders);
        warn_of_next_run(*call.folders, call.model.learn.inputs, console);
    }
    Outputs outputs(call);
    Subjects subjects = read_subjects(call, console);
    if (is_shared) console.gather_lines();
    Means means;
    Grouping grouping = group(call, subjects, means, console);
    find_distinctive_words(subjects.shown, grouping);
    show_patches(call, grouping, subjects);
    if (!subjects.before.empty()) {
        grouping.names = names_of(subjects, grouping.groups);
        report_changes(subjects, grouping, console);
    }
    give_names(call, grouping);
    std::optional<Agreement> agreed;
    if (!call.labels.empty())
        agreed = agreement(grouping.group, labels.of(subjects.images, console));
    const Agreement *figures = agreed ? &*agreed : nullptr;
    const std::size_t missing = outputs.write(subjects, grouping, figures, console);
    if (!call.library.empty()) keep_in_library(call, subjects, grouping, console);
    note_grouping(grouping, means, call, console);
    report_groups(grouping, subjects.images, figures, console);
    const std::string result = result_of(grouping, figures);
    const int status = missing > 0 ? 1 : 0;
    if (subjects.inputs) return std::max(summarize(*subjects.inputs, console, result), status);
    console.last_line(result);
    return status;
}

} // namespace bowhist::app
