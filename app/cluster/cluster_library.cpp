#include "app/cluster/cluster_library.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/library/file_places.hpp>
#include <bowhist/library/library.hpp>
#include <bowhist/report/group_card.hpp>
#include <bowhist/show/library_patches.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

namespace bowhist::app {
namespace {

constexpr int patch_side = 48;             // pixels
constexpr std::size_t typical_images = 12; ///< of a group that are looked through for its words

StoredGroups as_stored(const LibraryGroups &groups) {
    StoredGroups stored{.groups = {}, .nowhere = {}, .resolution = groups.resolution, .model = {}};
    for (const auto &[number, name] : groups.names) stored.groups.push_back({number, name, {}});
    return stored;
}

/// Groups are not dropped unless that was asked for.
void require_continued(const ClusterCall &call, const LibraryGroups &groups) {
    if (groups.empty() || call.continues_library() || call.regroup) return;
    const auto names = std::ranges::count_if(
        groups.names, [](const auto &group) { return !group.second.empty(); });
    throw Error(Fault::usage,
                fmt::format("{} keeps {}{}, which only leiden without -k continues; leave {} out, "
                            "or give --regroup to replace them",
                            call.library, counted(groups.names.size(), "group"),
                            names > 0 ? fmt::format(" and {}", counted(names, "name")) : "",
                            call.grouping.groups > 0 ? "-k and --method" : "--method"));
}

/// Refuses options that only images or histograms can use.
void require_no_recipe(const ClusterCall &call, bool has_codes) {
    if (!call.model.learn.recipe.given.empty())
        throw Error(Fault::usage,
                    fmt::format("{} is for pictures, and {} has their descriptions; "
                                "leave it out",
                                *call.model.learn.recipe.given.begin(), call.library));
    const InputSource &inputs = call.model.learn.inputs;
    if (!inputs.excluded.empty() || inputs.hidden)
        throw Error(Fault::usage, "--exclude and --hidden are for folders; leave them out");
    if (call.normalization_given && has_codes)
        throw Error(Fault::usage, fmt::format("--normalize is for histograms, and {} is grouped by "
                                              "its codes; leave it out",
                                              call.library));
}

} // namespace

Subjects read_library(const ClusterCall &call) {
    const auto opened = std::make_shared<const Library>(call.library);
    const Library &library = *opened;
    const bool has_codes = library.models().contains("code");
    const bool shows_words = !call.page.empty() && has_codes && library.models().contains("words");
    require_no_recipe(call, has_codes);
    const LibraryGroups groups = library.groups();
    require_continued(call, groups);
    Subjects subjects;
    std::vector<std::int64_t> contents;
    HistogramTable words;
    words.content = HistogramContent::counts;
    library.for_each_image([&](const LibraryImage &image) {
        subjects.images.push_back(image.path);
        subjects.ids.push_back(image.id);
        subjects.known.files.push_back(image.file());
        if (call.folders && leaves_its_root(image)) subjects.outside.insert(image.file());
        contents.push_back(image.content);
        if (shows_words) {
            const Histogram row = library.histogram(image);
            subjects.shown.words = row.counts.size();
            subjects.shown.add(shown_words(row.counts));
        }
        if (has_codes) {
            const Library::Code code = library.code(image);
            subjects.rows.dimensions = code.values.size();
            subjects.rows.values.insert(subjects.rows.values.end(), code.values.begin(),
                                        code.values.end());
        } else {
            const Histogram row = library.histogram(image);
            words.words = row.counts.size();
            words.values.insert(words.values.end(), row.counts.begin(), row.counts.end());
        }
    });
    if (subjects.images.empty())
        throw Error(Fault::input,
                    fmt::format("{} holds no picture to group; index some first", call.library));
    subjects.known.thumbnail = [opened, contents = std::move(contents)](std::size_t i) {
        LibraryImage image;
        image.content = contents[i];
        return opened->thumbnail(image);
    };
    words.images = subjects.images;
    if (!has_codes) {
        subjects.rows = rows_of(words, call.normalization);
        subjects.shown = words_shown_by(subjects.rows);
    }
    if (groups.empty() || !call.continues_library()) return subjects;
    subjects.groups = as_stored(groups);
    for (const std::int64_t id : subjects.ids) {
        const auto found = groups.members.find(id);
        subjects.is_new.push_back(found == groups.members.end());
        subjects.before.push_back(found == groups.members.end() ? Grouping::nowhere
                                                                : found->second);
    }
    return subjects;
}

void show_patches(const ClusterCall &call, const Grouping &grouping, Subjects &subjects) {
    if (call.library.empty() || call.page.empty()) return;
    const auto library = std::make_shared<const Library>(call.library);
    if (!library->has_positions() || !library->models().contains("words")) return;
    const auto patches = std::make_shared<const LibraryPatches>(*library, patch_side);
    const auto members =
        std::make_shared<const std::vector<std::vector<Member>>>(members_of_groups(grouping));
    subjects.known.patches = [library, patches, members, &grouping, &subjects](std::size_t group) {
        std::vector<LibraryImage> images; // the most typical first
        for (const Member &member : members->at(group + 1)) {
            if (images.size() == typical_images) break;
            if (auto image = library->find(subjects.images[member.row]))
                images.push_back(std::move(*image));
        }
        return patches->of(grouping.summaries[group].words, images);
    };
}

void give_names(const ClusterCall &call, Grouping &grouping) {
    if (call.names.empty()) return;
    grouping.names.resize(grouping.groups);
    for (const auto &[group, name] : call.names) {
        if (std::ranges::find(grouping.group, group) == grouping.group.end())
            throw Error(Fault::usage,
                        fmt::format("there is no group {} to name; the highest number is {}", group,
                                    *std::ranges::max_element(grouping.group)));
        grouping.names[static_cast<std::size_t>(group)] = name;
    }
}

/// Images that are gone stay in their groups until they come back, unless another group has the
/// number now.
void keep_gone(const Subjects &subjects, const LibraryGroups &before, LibraryGroups &groups) {
    const std::set<std::int32_t> continued(subjects.before.begin(), subjects.before.end());
    for (const auto &[image, group] : before.members) {
        if (group >= 0 && groups.names.contains(group) && !continued.contains(group)) continue;
        if (!groups.members.emplace(image, group).second || group < 0) continue;
        if (const auto name = before.names.find(group); name != before.names.end())
            groups.names.insert(*name);
    }
}

void keep_in_library(const ClusterCall &call, const Subjects &subjects, const Grouping &grouping,
                     Console &console) {
    if (call.resolution_given && !subjects.before.empty())
        console.line(fmt::format("{} had groups, which --resolution {:g} continues and hardly "
                                 "changes; give --regroup to make them anew",
                                 call.library, call.resolution));
    LibraryGroups groups;
    groups.resolution = grouping.resolution ? grouping.resolution->millionths : Resolution::one;
    for (std::size_t i = 0; i < subjects.ids.size(); ++i) {
        const std::int32_t group = grouping.group[i];
        groups.members[subjects.ids[i]] = group;
        if (group < 0 || groups.names.contains(group)) continue;
        const auto place = static_cast<std::size_t>(group);
        groups.names[group] = place < grouping.names.size() ? grouping.names[place] : "";
    }
    if (call.continues_library()) keep_gone(subjects, Library(call.library).groups(), groups);
    const bool is_output = call.table || !call.page.empty() || !call.tree.empty() || call.folders;
    const bool may_keep_none = is_output && call.names.empty();
    if (may_keep_none && is_read_only(call.library))
        return console.warning(fmt::format(
            "{}: cannot be written, so that it does not keep these groups", call.library));
    try {
        keep_groups(call.library, groups, 10);
    } catch (const NotShared &error) {
        if (!may_keep_none) throw;
        console.warning(fmt::format("{}: its file system {}, so that it does not keep these groups",
                                    call.library, error.reason));
    }
}

} // namespace bowhist::app
