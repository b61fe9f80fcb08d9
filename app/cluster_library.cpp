#include "app/cluster_library.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/library/library.hpp>

#include <fmt/format.h>

namespace bowhist::app {
namespace {

StoredGroups as_stored(const LibraryGroups &groups) {
    StoredGroups stored{.groups = {}, .nowhere = {}, .resolution = groups.resolution, .model = {}};
    for (const auto &[number, name] : groups.names) stored.groups.push_back({number, name, {}});
    return stored;
}

} // namespace

Subjects read_library(const ClusterCall &call) {
    const Library library(call.library);
    const bool has_codes = library.models().contains("code");
    Subjects subjects;
    HistogramTable words;
    words.content = HistogramContent::counts;
    library.for_each_image([&](const LibraryImage &image) {
        subjects.images.push_back(image.path);
        subjects.ids.push_back(image.id);
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
    words.images = subjects.images;
    if (!has_codes) {
        subjects.rows = rows_of(words, call.normalization);
        subjects.shown = words_shown_by(subjects.rows);
    }
    const LibraryGroups groups = library.groups();
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

void keep_in_library(const ClusterCall &call, const Subjects &subjects, const Grouping &grouping) {
    LibraryGroups groups;
    groups.resolution = grouping.resolution ? grouping.resolution->millionths : Resolution::one;
    for (std::size_t i = 0; i < subjects.ids.size(); ++i) {
        const std::int32_t group = grouping.group[i];
        groups.members[subjects.ids[i]] = group;
        if (group < 0 || groups.names.contains(group)) continue;
        const auto place = static_cast<std::size_t>(group);
        groups.names[group] = place < grouping.names.size() ? grouping.names[place] : "";
    }
    for (const auto &[group, name] : call.names) {
        const auto found = groups.names.find(group);
        if (found == groups.names.end())
            throw Error(Fault::usage, fmt::format("there is no group {} to name", group));
        found->second = name;
    }
    keep_groups(call.library, groups, 10);
}

} // namespace bowhist::app
