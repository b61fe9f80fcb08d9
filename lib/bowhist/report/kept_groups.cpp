#include <bowhist/report/kept_groups.hpp>

#include <bowhist/core/shown_words.hpp>
#include <bowhist/group/centers.hpp>
#include <bowhist/group/distinctive_words.hpp>
#include <bowhist/report/group_card.hpp>
#include <bowhist/show/library_patches.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

namespace bowhist {
namespace {

constexpr std::size_t typical_images = 12; ///< of a group that are looked through for its words
constexpr std::size_t most_bytes_of_words = 256 << 20;

using Images = std::vector<LibraryImage>; ///< in the order of path bytes

std::string title_of(const LibraryGroups &groups, std::int32_t number) {
    if (number < 0) return "Pictures that fit nowhere";
    const auto name = groups.names.find(number);
    const bool has_name = name != groups.names.end() && !name->second.empty();
    return fmt::format("Group {}{}{}", number, has_name ? ", " : "", has_name ? name->second : "");
}

/// The rows by which `cluster` groups images of a library.
IntegerRows rows_of(const Library &library, const Images &images, bool has_codes) {
    if (!has_codes) {
        std::vector<float> features;
        std::size_t words = 0;
        for (const LibraryImage &image : images) {
            const auto row = normalize(library.histogram(image).counts, Normalization::hellinger);
            words = row.size();
            features.insert(features.end(), row.begin(), row.end());
        }
        return integer_rows(features, words);
    }
    IntegerRows rows;
    for (const LibraryImage &image : images) {
        const Library::Code code = library.code(image);
        rows.dimensions = code.values.size();
        rows.values.insert(rows.values.end(), code.values.begin(), code.values.end());
    }
    return rows;
}

/// The images of one group: sums for its center are in the order of paths, as in a run of all.
std::vector<KeptGroup::Member> typical_first(const Library &library, const Images &images,
                                             bool is_nowhere, bool has_codes) {
    Grouping alone;
    alone.groups = is_nowhere ? 0 : 1;
    alone.group.assign(images.size(), is_nowhere ? Grouping::nowhere : 0);
    alone.distance.assign(images.size(), 0);
    if (!is_nowhere) measure(rows_of(library, images, has_codes), alone);
    const auto ordered = members_of_groups(alone);
    std::vector<KeptGroup::Member> members;
    for (const Member &member : ordered.back())
        members.push_back({images[member.row].id, member.is_odd});
    return members;
}

/// The words that set each of these groups apart.
std::vector<std::vector<std::uint32_t>>
words_of(const Library &library, const std::vector<KeptGroup> &groups, Observer &observer) {
    std::map<std::int64_t, std::int32_t> place; // among the groups
    Grouping grouping;
    for (const KeptGroup &group : groups) {
        const auto number = static_cast<std::int32_t>(grouping.groups++);
        for (const KeptGroup::Member &member : group.members) place[member.id] = number;
    }
    ShownWords shown;
    library.for_each_image([&](const LibraryImage &image) {
        observer.stop_if_interrupted();
        const Histogram row = library.histogram(image);
        shown.words = row.counts.size();
        shown.add(shown_words(row.counts));
        const auto found = place.find(image.id);
        grouping.group.push_back(found == place.end() ? Grouping::nowhere : found->second);
    });
    grouping.summaries.resize(grouping.groups);
    find_distinctive_words(shown, grouping);
    std::vector<std::vector<std::uint32_t>> words;
    for (GroupSummary &summary : grouping.summaries) words.push_back(std::move(summary.words));
    return words;
}

} // namespace

std::vector<KeptGroup> kept_groups(const Library &library, Observer &observer) {
    const LibraryGroups kept = library.groups();
    const bool has_codes = library.models().contains("code");
    std::map<std::int32_t, Images> images;
    std::size_t count = 0, done = 0;
    library.for_each_image([&](const LibraryImage &image) {
        const auto group = kept.members.find(image.id);
        if (group == kept.members.end()) return;
        images[group->second].push_back(image);
        ++count;
    });
    std::vector<KeptGroup> groups;
    for (const auto &[number, own] : images) {
        observer.stop_if_interrupted();
        groups.push_back({.number = number,
                          .title = title_of(kept, number),
                          .members = typical_first(library, own, number < 0, has_codes)});
        observer.progress("groups", done += own.size(), count);
    }
    std::ranges::stable_sort(groups, {}, [](const KeptGroup &group) {
        return std::pair(group.number < 0, -static_cast<std::int64_t>(group.members.size()));
    });
    return groups;
}

std::map<std::int32_t, std::vector<std::string>> patches_of_groups(const Library &library, int side,
                                                                   Observer &observer) {
    const auto models = library.models();
    const auto model = models.find("words");
    if (model == models.end() || !library.has_positions()) return {};
    std::vector<KeptGroup> groups = kept_groups(library, observer);
    std::erase_if(groups, [](const KeptGroup &group) { return group.number < 0; });
    std::size_t images = 0;
    library.for_each_image([&](const LibraryImage &) { ++images; });
    if (images * (model->second.size / 8 + 1) > most_bytes_of_words) return {};
    const auto words = words_of(library, groups, observer);
    const LibraryPatches patches(library, side);
    std::map<std::int32_t, std::vector<std::string>> found;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        observer.stop_if_interrupted();
        Images typical;
        for (const KeptGroup::Member &member : groups[i].members) {
            if (typical.size() == typical_images) break;
            if (auto image = library.find(member.id)) typical.push_back(std::move(*image));
        }
        found[groups[i].number] = patches.of(words[i], typical);
        observer.progress("patches", i + 1, groups.size());
    }
    return found;
}

} // namespace bowhist
