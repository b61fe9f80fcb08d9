#include "app/cluster_subjects.hpp"
#include "app/cluster_memory.hpp"
#include "app/summary.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/library/library.hpp>
#include <bowhist/pipeline/code_inputs.hpp>
#include <bowhist/tables/histograms/histogram_reader.hpp>
#include <bowhist/tables/vocabulary/model_file.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
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

/// Whether a level that was named is on a device; what auto takes shows when k is known.
bool asks_for_device(const LevelRequest &level) {
    return level.level != "auto" && find_level(level.level).on_device;
}

/// Codes, which are as they are; or features of histograms.
IntegerRows rows_of(HistogramTable &table, Normalization normalization) {
    if (table.content == HistogramContent::codes)
        return {table.words, {table.values.begin(), table.values.end()}};
    return integer_rows(features_of(table, normalization), table.words);
}

Subjects read_rows(const ClusterCall &call) {
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

IntegerRows widened(const Codes &codes) {
    return {codes.dimensions, {codes.values.begin(), codes.values.end()}};
}

Subjects learn_subjects(const ClusterCall &call, Console &console) {
    CodedImages coded = learn_codes(call.model, console);
    note_report(console, coded.level.name(), coded.report);
    Subjects subjects{.images = std::move(coded.images),
                      .rows = widened(coded.codes),
                      .inputs = std::move(coded.inputs),
                      .model = std::move(coded.model)};
    for (const std::string &image : subjects.images) subjects.stamps.push_back(stamp_of(image));
    return subjects;
}

std::map<std::string, std::int32_t> groups_by_image(const StoredGroups &groups) {
    std::map<std::string, std::int32_t> result;
    for (const StoredGroup &group : groups.groups)
        for (const std::string &image : group.images) result[image] = group.number;
    for (const std::string &image : groups.nowhere) result[image] = Grouping::nowhere;
    return result;
}

/// Every image of groups.json has a code of the model that it names.
void require_fitting(const std::filesystem::path &path, const StoredGroups &groups,
                     const VladModel &model, const StoredCodes &codes) {
    if (groups.model != model.fingerprint || codes.codes.dimensions != model.row_size())
        throw Error(Fault::input,
                    fmt::format("{} is of another model than {}; group the pictures again", path,
                                codes_path(path)));
    const std::set<std::string> known(codes.images.begin(), codes.images.end());
    for (const auto &[image, group] : groups_by_image(groups))
        if (!known.contains(image))
            throw Error(Fault::input,
                        fmt::format("{} names {}, which {} has no code of; take it out, and give "
                                    "the picture as an INPUT",
                                    path, std::filesystem::path(image), codes_path(path)));
}

/// With --assign all known images stay, whether they are inputs or not.
StoredCodes with_known(const StoredCodes &known, const StoredCodes &made) {
    StoredCodes all = known;
    const std::set<std::string> names(known.images.begin(), known.images.end());
    for (std::size_t i = 0; i < made.images.size(); ++i) {
        if (names.contains(made.images[i])) continue;
        all.images.push_back(made.images[i]);
        all.stamps.push_back(made.stamps[i]);
        const auto code = made.codes.row(i);
        all.codes.values.insert(all.codes.values.end(), code.begin(), code.end());
    }
    return all;
}

Subjects continue_subjects(const ClusterCall &call, Console &console) {
    const std::filesystem::path &path = call.continued();
    Subjects subjects;
    subjects.groups = read_stored_groups(path);
    VladModel model = read_model(codes_path(path));
    const StoredCodes known = read_stored_codes(codes_path(path));
    require_fitting(path, subjects.groups, model, known);
    const LearnRequest &learn = call.model.learn;
    CodedInputs coded = code_inputs({.model = codes_path(path),
                                     .inputs = learn.inputs,
                                     .recipe = learn.recipe,
                                     .stream = learn.stream,
                                     .level = learn.level},
                                    model, known, console);
    console.note(fmt::format("{} of {} pictures keep their code", coded.unchanged,
                             coded.codes.images.size()));
    StoredCodes codes =
        call.assign.empty() ? std::move(coded.codes) : with_known(known, coded.codes);
    const auto groups = groups_by_image(subjects.groups);
    for (const std::string &image : codes.images) {
        const auto found = groups.find(image);
        subjects.is_new.push_back(found == groups.end());
        subjects.before.push_back(found == groups.end() ? Grouping::nowhere : found->second);
    }
    subjects.images = std::move(codes.images);
    subjects.stamps = std::move(codes.stamps);
    subjects.rows = widened(codes.codes);
    subjects.inputs = std::move(coded.inputs);
    subjects.model = std::move(model);
    return subjects;
}

StoredGroups as_stored(const LibraryGroups &groups) {
    StoredGroups stored{.groups = {}, .nowhere = {}, .resolution = groups.resolution, .model = {}};
    for (const auto &[number, name] : groups.names) stored.groups.push_back({number, name, {}});
    return stored;
}

/// The library's codes, or its histograms where it has none.
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
    if (!has_codes) subjects.rows = rows_of(words, call.normalization);
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

} // namespace

Subjects read_subjects(const ClusterCall &call, Console &console) {
    if (!call.library.empty()) return read_library(call);
    if (!call.of_images) return read_rows(call);
    if (!call.continued().empty()) return continue_subjects(call, console);
    return learn_subjects(call, console);
}

} // namespace bowhist::app
