#include "app/cluster/cluster_subjects.hpp"
#include "app/cluster/cluster_continued.hpp"
#include "app/cluster/cluster_library.hpp"
#include "app/cluster/cluster_memory.hpp"
#include "app/command/summary.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/pipeline/code_inputs.hpp>
#include <bowhist/tables/histograms/histogram_reader.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <span>
#include <utility>

namespace bowhist::app {
namespace {

/// Counts become features, in their place; values that are normalized already stay as they are.
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

/// Whether a level that was named is on a device; the level of auto shows when k is known.
bool asks_for_device(const LevelRequest &level) {
    return level.level != "auto" && find_level(level.level).on_device;
}

bool holds_histograms(const HistogramTable &table) {
    return table.content != HistogramContent::codes && table.content != HistogramContent::rows;
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
    ShownWords shown;
    if (holds_histograms(table)) shown = words_shown_by(rows);
    return {.images = std::move(table.images), .rows = std::move(rows), .shown = std::move(shown)};
}

/// The stamps of files before they are read: a file that is changed later has another stamp.
using Stamps = std::map<std::string, FileStamp>;

Subjects learn_subjects(const ClusterCall &call, Console &console) {
    ModelRequest request = call.model;
    Stamps stamps;
    request.learn.inputs.listed = [&](const InputList &list) {
        call.model.learn.inputs.listed(list);
        if (!call.writes_groups()) return;
        for (const Input &input : list.inputs)
            if (!input.collection) stamps[input.path.native()] = stamp_of(input.path);
    };
    CodedImages coded = learn_codes(request, console);
    note_report(console, coded.level.name(), coded.report);
    Subjects subjects{.images = std::move(coded.images),
                      .rows = widened(coded.codes),
                      .inputs = std::move(coded.inputs),
                      .model = std::move(coded.model),
                      .shown = std::move(coded.shown)};
    for (const std::string &image : subjects.images) subjects.stamps.push_back(stamps[image]);
    return subjects;
}

} // namespace

IntegerRows rows_of(HistogramTable &table, Normalization normalization) {
    if (table.content == HistogramContent::codes)
        return {table.words, {table.values.begin(), table.values.end()}};
    return integer_rows(features_of(table, normalization), table.words);
}

IntegerRows widened(const Codes &codes) {
    return {codes.dimensions, {codes.values.begin(), codes.values.end()}};
}

Subjects read_subjects(const ClusterCall &call, Console &console) {
    if (!call.library.empty()) return read_library(call);
    if (!call.of_images) return read_rows(call);
    if (!call.continued().empty()) return continue_subjects(call, console);
    return learn_subjects(call, console);
}

} // namespace bowhist::app
