#include "app/cluster/cluster_continued.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/group/kept_numbers.hpp>
#include <bowhist/pipeline/code_inputs.hpp>
#include <bowhist/tables/vocabulary/model_file.hpp>

#include <map>
#include <set>
#include <utility>

namespace bowhist::app {
namespace {

using GroupsByImage = std::map<std::string, std::int32_t>;

GroupsByImage groups_by_image(const StoredGroups &groups) {
    GroupsByImage result;
    for (const StoredGroup &group : groups.groups)
        for (const std::string &image : group.images) result[image] = group.number;
    for (const std::string &image : groups.nowhere) result[image] = Grouping::nowhere;
    return result;
}

void require_same_model(const std::filesystem::path &path, const StoredGroups &groups,
                        const VladModel &model) {
    if (groups.model == model.fingerprint) return;
    throw Error(Fault::input,
                fmt::format("{} is of another model than {}; run again what made the newer of the "
                            "two, or bring back the other",
                            path, codes_path(path)));
}

/// The images of groups.json that have no code, in the order of their bytes.
std::vector<std::string> without_code(const GroupsByImage &groups, const StoredCodes &codes) {
    const std::set<std::string> coded(codes.images.begin(), codes.images.end());
    std::vector<std::string> images;
    for (const auto &[image, group] : groups)
        if (!coded.contains(image)) images.push_back(image);
    return images;
}

void add(const StoredCodes &from, std::size_t i, StoredCodes &codes) {
    codes.images.push_back(from.images[i]);
    codes.stamps.push_back(from.stamps[i]);
    const auto code = from.codes.row(i);
    codes.codes.values.insert(codes.codes.values.end(), code.begin(), code.end());
    codes.shown.add(from.shown.row(i));
}

/// With --assign all images of groups.json stay as they are, whether they are inputs or not.
StoredCodes with_known(const StoredCodes &known, const GroupsByImage &groups,
                       const StoredCodes &made) {
    StoredCodes all{.images = {},
                    .stamps = {},
                    .codes = {made.codes.dimensions, {}},
                    .shown = {made.shown.words}};
    std::set<std::string> taken;
    for (std::size_t i = 0; i < known.images.size(); ++i)
        if (groups.contains(known.images[i]) && taken.insert(known.images[i]).second)
            add(known, i, all);
    for (std::size_t i = 0; i < made.images.size(); ++i)
        if (taken.insert(made.images[i]).second) add(made, i, all);
    return all;
}

/// Inputs that could not be used in this run.
std::set<std::string> skipped_of(const CodedInputs &coded) {
    const std::set<std::string> used(coded.codes.images.begin(), coded.codes.images.end());
    std::set<std::string> skipped;
    for (const Input &input : coded.inputs.list.inputs) {
        const std::string &image =
            input.collection ? input.collection->images[input.place].image : input.path.native();
        if (!used.contains(image)) skipped.insert(image);
    }
    return skipped;
}

/// Whether it was skipped, or the folder that it is in.
bool is_skipped(const std::string &image, const std::set<std::string> &skipped) {
    for (std::filesystem::path path = image; !path.empty(); path = path.parent_path()) {
        if (skipped.contains(path.native())) return true;
        if (path == path.parent_path()) break; // the root
    }
    return false;
}

/// A skipped image keeps its code and its group: it is still an input. Its old stamp makes the next
/// run read it again.
void add_skipped(const StoredCodes &known, const GroupsByImage &groups, const CodedInputs &coded,
                 StoredCodes &codes) {
    const std::set<std::string> skipped = skipped_of(coded);
    if (skipped.empty()) return;
    std::set<std::string> taken(codes.images.begin(), codes.images.end());
    for (std::size_t i = 0; i < known.images.size(); ++i)
        if (groups.contains(known.images[i]) && is_skipped(known.images[i], skipped) &&
            taken.insert(known.images[i]).second)
            add(known, i, codes);
}

/// The images that were moved by hand, now or earlier: groups.json has another group of theirs than
/// the last run found, or knew none of those that were added to it. Codes of another run, which are
/// beside groups.json where a run was killed, say nothing of that.
std::vector<bool> held_images(const StoredCodes &known, const Subjects &subjects) {
    if (known.groups.empty() ||
        subjects.groups.found != fingerprint_of_groups(known.images, known.groups))
        return {};
    std::map<std::string_view, std::int32_t> found;
    for (std::size_t i = 0; i < known.images.size(); ++i) found[known.images[i]] = known.groups[i];
    std::vector<std::int32_t> groups(subjects.before.size(), Grouping::nowhere);
    for (std::size_t i = 0; i < groups.size(); ++i)
        if (const auto one = found.find(subjects.images[i]); one != found.end())
            groups[i] = one->second;
    return moved_by_hand(groups, subjects.before);
}

void require_all(const std::filesystem::path &path, const std::vector<std::string> &missing) {
    if (missing.empty()) return;
    throw Error(Fault::input,
                fmt::format("{} names {}, which {} has no code of; give the picture "
                            "as an INPUT, too, or take it out",
                            path, std::filesystem::path(missing.front()), codes_path(path)));
}

/// Says which images of groups.json are no inputs any more. If most are not, some inputs were
/// forgotten: groups.json is not replaced then.
void report_left(const ClusterCall &call, const std::vector<std::string> &left, std::size_t all,
                 Console &console) {
    if (left.empty()) return;
    const std::filesystem::path &path = call.continued();
    const std::filesystem::path first = left.front();
    if (left.size() == all)
        throw Error(Fault::input, fmt::format("{}: none of its pictures is among the inputs; give "
                                              "their paths as it has them ({})",
                                              path, first));
    if (2 * left.size() > all && call.output == path)
        throw Error(Fault::input,
                    fmt::format("{}: {} of its {} pictures are no inputs, the first {}; give all "
                                "pictures, old and new, or write other groups: -o new.json",
                                path, left.size(), all, first));
    console.line(left.size() == 1
                     ? fmt::format("1 picture is no input any more and leaves: {}", first)
                     : fmt::format("{} are no inputs any more and leave, the first: {}",
                                   counted(left.size(), "picture"), first));
}

} // namespace

Subjects continue_subjects(const ClusterCall &call, Console &console) {
    const std::filesystem::path &path = call.continued();
    Subjects subjects;
    subjects.groups = read_stored_groups(path);
    VladModel model = read_model(codes_path(path));
    require_same_model(path, subjects.groups, model);
    const StoredCodes known = read_stored_codes(codes_path(path), model);
    const LearnRequest &learn = call.model.learn;
    CodedInputs coded = code_inputs({.model = codes_path(path),
                                     .inputs = learn.inputs,
                                     .recipe = learn.recipe,
                                     .stream = learn.stream,
                                     .level = learn.level},
                                    model, known, console);
    console.note(fmt::format("{} of {} pictures keep their code", coded.unchanged,
                             coded.codes.images.size()));
    const GroupsByImage groups = groups_by_image(subjects.groups);
    const bool only_places = !call.assign.empty();
    StoredCodes codes = only_places ? with_known(known, groups, coded.codes) : coded.codes;
    if (!only_places) add_skipped(known, groups, coded, codes);
    const std::vector<std::string> missing = without_code(groups, codes);
    if (only_places)
        require_all(path, missing);
    else
        report_left(call, missing, groups.size(), console);
    subjects.keeps_old = !only_places && !missing.empty() && call.output == path;
    for (const std::string &image : codes.images) {
        const auto found = groups.find(image);
        subjects.is_new.push_back(found == groups.end());
        subjects.before.push_back(found == groups.end() ? Grouping::nowhere : found->second);
    }
    subjects.images = std::move(codes.images);
    subjects.held = held_images(known, subjects);
    subjects.stamps = std::move(codes.stamps);
    subjects.shown = std::move(codes.shown);
    subjects.rows = widened(codes.codes);
    subjects.inputs = std::move(coded.inputs);
    subjects.model = std::move(model);
    return subjects;
}

} // namespace bowhist::app
