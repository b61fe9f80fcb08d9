#include "app/cluster/cluster_outputs.hpp"
#include "app/command/options.hpp"

#include <bowhist/core/printable.hpp>
#include <bowhist/io/input_file.hpp>
#include <bowhist/report/contact_sheet.hpp>
#include <bowhist/tables/histograms/groups_file.hpp>
#include <bowhist/tables/vocabulary/model_file.hpp>

namespace bowhist::app {
namespace {

/// The groups that this run found. An image that a user moved counts as found nowhere, so that it
/// is held again.
std::vector<std::int32_t> found_groups(const Subjects &subjects, const Grouping &grouping) {
    std::vector<std::int32_t> found = grouping.group;
    for (std::size_t i = 0; i < subjects.held.size(); ++i)
        if (subjects.held[i]) found[i] = Grouping::nowhere;
    return found;
}

StoredGroups stored_groups(const Subjects &subjects, const Grouping &grouping) {
    StoredGroups stored{
        .resolution =
            grouping.resolution ? grouping.resolution->millionths : subjects.groups.resolution,
        .model = subjects.model->fingerprint,
        .found = fingerprint_of_groups(subjects.images, found_groups(subjects, grouping))};
    for (std::size_t group = 0; group < grouping.groups; ++group)
        stored.groups.push_back({static_cast<std::int32_t>(group),
                                 group < grouping.names.size() ? grouping.names[group] : "",
                                 {},
                                 grouping.summaries[group].words});
    for (std::size_t i = 0; i < subjects.images.size(); ++i)
        (grouping.group[i] < 0 ? stored.nowhere
                               : stored.groups[static_cast<std::size_t>(grouping.group[i])].images)
            .push_back(subjects.images[i]);
    std::erase_if(stored.groups, [](const StoredGroup &group) { return group.images.empty(); });
    return stored;
}

/// groups.json.npz
void write_codes(const std::filesystem::path &groups, const Subjects &subjects,
                 const Grouping &grouping) {
    StoredCodes codes{.images = subjects.images,
                      .stamps = subjects.stamps,
                      .codes = {subjects.rows.dimensions, {}},
                      .shown = subjects.shown,
                      .groups = found_groups(subjects, grouping)};
    for (const std::int16_t value : subjects.rows.values)
        codes.codes.values.push_back(static_cast<std::int8_t>(value));
    write_model(codes_path(groups), *subjects.model, &codes);
}

/// groups.json~ holds what a run loses whose INPUTs lack a folder.
void keep_old(const std::filesystem::path &groups, Console &console) {
    std::filesystem::path old = groups;
    old += "~";
    AtomicFile file(old);
    file.write(InputFile(groups, Fault::input).read_text());
    file.commit();
    console.line(fmt::format("{} is {} as it was", old, groups));
}

} // namespace

Outputs::Outputs(const ClusterCall &call) : writes_groups_(call.writes_groups()) {
    if (writes_groups_) const AtomicFile writable(codes_path(call.output));
    if (call.folders) folders_.emplace(*call.folders);
    if (call.table) groups_.emplace(file_or_standard_output(call.output));
    if (!call.page.empty()) page_.emplace(call.page);
    if (!call.tree.empty()) tree_.emplace(call.tree);
}

std::size_t Outputs::write(const Subjects &subjects, const Grouping &grouping,
                           const Agreement *agreement, Console &console) {
    if (page_) {
        write_contact_sheet(*page_, subjects.images, grouping, agreement, console, subjects.known);
        page_->close();
    }
    if (tree_) {
        write_newick(*grouping.tree, subjects.images,
                     [&](std::string_view text) { tree_->write(text); });
        tree_->close();
    }
    const bool printed = groups_ && groups_->written_directly();
    if (groups_ && !printed) write_table(subjects, grouping);
    const std::size_t missing =
        folders_ ? folders_->fill(subjects.files(), subjects.outside, grouping, console) : 0;
    // before groups.json: newer codes beside older groups are as good as their own
    if (writes_groups_) write_codes(groups_->destination(), subjects, grouping);
    if (page_) page_->commit();
    if (tree_) tree_->commit();
    if (printed) write_table(subjects, grouping);
    if (subjects.keeps_old) keep_old(groups_->destination(), console);
    if (groups_) groups_->commit();
    if (folders_) folders_->appear(); // last: another run refuses one that is there
    return missing;
}

void Outputs::write_table(const Subjects &subjects, const Grouping &grouping) {
    groups_->write(writes_groups_ ? groups_json(stored_groups(subjects, grouping))
                                  : groups_csv({subjects.images, grouping.group, grouping.distance,
                                                grouping.levels}));
    groups_->close();
}

} // namespace bowhist::app
