#include <bowhist/pipeline/part_record.hpp>

#include <bowhist/core/printable.hpp>
#include <bowhist/io/byte_hash.hpp>
#include <bowhist/tables/formats/sidecar_json.hpp>

#include <array>
#include <optional>
#include <utility>

namespace bowhist {
namespace {

using nlohmann::ordered_json;

constexpr std::array content_names = {"histograms", "rows", "words", "descriptors", "library"};

void add_labels(ordered_json &values, const std::optional<FolderLabels> &labels) {
    if (!labels) return;
    ordered_json names = ordered_json::array();
    for (const std::string &name : labels->names()) names.push_back(protect_bytes(name));
    values["labels"] = std::move(names);
    values["labels_below"] = protect_bytes(labels->below().native());
}

std::optional<FolderLabels> labels_in(const Section &section) {
    if (!section.has("labels")) return std::nullopt;
    std::vector<std::string> names;
    for (const auto &name : section.list("labels")) {
        if (!name.is_string()) section.fail("expected names of folders; make this part again");
        names.push_back(restore_bytes(name.get_ref<const std::string &>()));
    }
    return FolderLabels(std::move(names), section.text("labels_below"));
}

ordered_json content_json(const HistogramFileInfo &info) {
    ordered_json values{{"words", info.words},
                        {"normalization", name_of(info.normalization)},
                        {"fingerprint", protect_bytes(info.fingerprint)},
                        {"extractor", protect_bytes(info.extractor)},
                        {"rule", info.rule}};
    if (info.weights) {
        values["mean"] = info.weights->mean;
        values["weights"] = info.weights->of_word;
    }
    add_labels(values, info.labels);
    return values;
}

ordered_json content_json(const RowFileInfo &info) {
    ordered_json values{{"size", info.size},
                        {"codes", info.codes},
                        {"encoding", protect_bytes(info.encoding)},
                        {"fingerprint", protect_bytes(info.fingerprint)},
                        {"extractor", protect_bytes(info.extractor)},
                        {"prepare", protect_bytes(info.preparation)},
                        {"normalization", protect_bytes(info.normalization)},
                        {"rule", info.rule}};
    add_labels(values, info.labels);
    return values;
}

ordered_json content_json(const WordsInfo & /*info*/) {
    return ordered_json::object();
}

ordered_json content_json(const LibraryInfo & /*info*/) {
    return ordered_json::object();
}

ordered_json content_json(const DescriptorsInfo &info) {
    return {{"collection", info.collection}};
}

ordered_json as_json(const PartContent &content) {
    return std::visit([](const auto &info) { return content_json(info); }, content);
}

Normalization normalization_in(const Section &section) {
    const std::string name = section.text("normalization");
    for (const auto each : {Normalization::none, Normalization::l1, Normalization::l2,
                            Normalization::hellinger, Normalization::tfidf, Normalization::bm25})
        if (name == name_of(each)) return each;
    section.fail("has a normalization \"{}\", which is unknown; merge with the bowhist that made "
                 "it",
                 excerpt(name));
}

HistogramFileInfo histograms_in(const Section &section) {
    HistogramFileInfo info{.words = section.get<std::size_t>("words"),
                           .normalization = normalization_in(section),
                           .fingerprint = section.text("fingerprint"),
                           .extractor = section.text("extractor"),
                           .weights = {},
                           .labels = labels_in(section),
                           .rule = section.text("rule")};
    if (!weighs(info.normalization)) return info;
    info.weights = WordWeights{info.normalization, section.numbers<double>("weights"),
                               section.get<double>("mean")};
    if (info.weights->of_word.size() != info.words)
        section.fail("is damaged; make this part again");
    return info;
}

RowFileInfo rows_in(const Section &section) {
    return {.size = section.get<std::size_t>("size"),
            .codes = section.get<bool>("codes"),
            .encoding = section.text("encoding"),
            .fingerprint = section.text("fingerprint"),
            .extractor = section.text("extractor"),
            .preparation = section.text("prepare"),
            .normalization = section.text("normalization"),
            .labels = labels_in(section),
            .rule = section.text("rule")};
}

PartContent content_in(const Section &head) {
    const std::string name = head.text("content");
    const Section section = head.section("file");
    if (name == content_names[0]) return histograms_in(section);
    if (name == content_names[1]) return rows_in(section);
    if (name == content_names[2]) return WordsInfo{};
    if (name == content_names[3]) return DescriptorsInfo{section.get<bool>("collection")};
    if (name == content_names[4]) return LibraryInfo{};
    head.fail("holds \"{}\", which is unknown; merge with the bowhist that made it", excerpt(name));
}

Shard shard_in(const Section &head) {
    const auto numbers = head.numbers<std::size_t>("shard");
    const bool is_shard = numbers.size() == 2 && numbers[0] >= 1 && numbers[0] <= numbers[1] &&
                          numbers[1] <= Shard::most;
    if (!is_shard) head.fail("is damaged; make this part again");
    return {numbers[0], numbers[1]};
}

/// The counts of a summary, by their names in a part.
constexpr std::array<std::pair<const char *, std::size_t StreamCounts::*>, 7> counts = {
    {{"read", &StreamCounts::read},
     {"skipped", &StreamCounts::skipped},
     {"few", &StreamCounts::few},
     {"none", &StreamCounts::none},
     {"small", &StreamCounts::small},
     {"flat", &StreamCounts::flat},
     {"strips", &StreamCounts::strips}}};

using Ignored = std::map<std::string, std::size_t>;

ordered_json as_json(const Ignored &ignored) {
    ordered_json values = ordered_json::object();
    for (const auto &[kind, count] : ignored) values[protect_bytes(kind)] = count;
    return values;
}

Ignored ignored_in(const nlohmann::json &values) {
    Ignored ignored;
    for (const auto &[kind, count] : values.items())
        if (count.is_number_unsigned()) ignored[restore_bytes(kind)] = count.get<std::size_t>();
    return ignored;
}

std::string hash_of(const std::string &text) {
    ByteHash hash;
    hash.add(text);
    return hash.digits();
}

} // namespace

std::string head_text(const PartHead &head) {
    const ordered_json values{{"shard", {head.shard.number, head.shard.of}},
                              {"inputs", head.inputs},
                              {"list", head.list},
                              {"range", head.range},
                              {"version", protect_bytes(head.version)},
                              {"vocabulary", protect_bytes(head.vocabulary)},
                              {"settings", protect_bytes(head.settings)},
                              {"content", content_names[head.content.index()]},
                              {"file", as_json(head.content)}};
    return text_of(values, -1);
}

PartHead head_in(const InputFile &file, const std::string &text) {
    const auto values = parse_object(file, text);
    const Section head(file, values);
    return {.shard = shard_in(head),
            .inputs = head.get<std::uint64_t>("inputs"),
            .list = head.text("list"),
            .range = head.text("range"),
            .version = head.text("version"),
            .vocabulary = head.text("vocabulary"),
            .settings = head.text("settings"),
            .content = content_in(head),
            .file = hash_of(values["file"].dump())};
}

std::string end_text(const InputSummary &run) {
    ordered_json values;
    for (const auto &[name, count] : counts) values[name] = run.counts.*count;
    values["few_below"] = run.few;
    values["recipe"] = bowhist::as_json(run.recipe);
    values["not_listed"] = run.list.skipped;
    values["ignored"] = as_json(run.list.ignored);
    values["ignored_folders"] = as_json(run.list.ignored_folders);
    return text_of(values, -1);
}

InputSummary end_in(const PartReader &part) {
    const auto values = parse_object(part.file(), part.end());
    const Section end(part.file(), values);
    InputSummary run;
    for (const auto &[name, count] : counts) run.counts.*count = end.get<std::size_t>(name);
    run.few = end.get<std::size_t>("few_below");
    run.recipe = recipe_in(end.section("recipe"));
    run.list.skipped = end.get<std::size_t>("not_listed");
    end.section("ignored");
    end.section("ignored_folders");
    run.list.ignored = ignored_in(values["ignored"]);
    run.list.ignored_folders = ignored_in(values["ignored_folders"]);
    return run;
}

} // namespace bowhist
