// Sidecars: JSON beside a file, under its name with ".json" appended.
//
// c.bin.json, beside a vocabulary:
//     {"extractor": {"name", "upright", "threshold", "max_descriptors", "max_side"},
//      "training": {"seed", "iterations", "inertia", "descriptors", "of": the number to draw from,
//                   "start", "course": {"inertia": [...], "moved": [...], "empty": [...]}},
//      "prepare": only of a training with --prepare: {"steps": as text, "mirroring", "dimensions",
//                 "deviation", with whiten also "mean" and "projection", row after row},
//      "frequencies": unless they were not counted: {"images", "descriptors" in all of them,
//                     "images_with": of each word, how many of the images hold it},
//      "tree": fingerprint of c.bin.tree, only of a training with --tree,
//      "fingerprint": of c.bin, "version": of bowhist,
//      "replaces": only while a new c.bin takes the old one's place: all of these of the old c.bin,
//                  or its "fingerprint" alone where it had no sidecar}
// x.npy.json, beside the descriptors of one image:
//     {"image": its path (bytes that are not UTF-8 as \udcXX), "extractor": as above,
//      "source": {"bytes": of the image's file, "modified": in nanoseconds since 1970},
//      "fingerprint": XXH3-64 of the descriptors' bytes, in hexadecimal, "version": of bowhist}
// The last three are there if `extract` wrote to a folder. With the others they say whether
// x.npy is what extracting the image again would give. For preprocessed images "extractor" also
// holds
//     "preprocessing": {"equalize", "blur": sigma, 0 for none, and, where there is a filter,
//                       "filter": {"name", "width", "height", "weights": [row after row]}}
//
// Other keys are ignored, so that later versions may add some.

#include <bowhist/tables/formats/sidecar.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/input_file.hpp>
#include <bowhist/tables/formats/sidecar_json.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <span>
#include <utility>
#include <xxhash.h>

namespace bowhist {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;

namespace {

constexpr std::uint64_t most_of_descriptors = 3 << 19;
// Frequencies of two vocabularies of most_words fit, with two preparations of 128 dimensions.
constexpr std::uint64_t most_of_vocabulary = 1 << 25;

/// The sidecar's outermost object.
json read_json(InputFile &file, std::uint64_t most_bytes) {
    if (file.size() > most_bytes)
        file.fail("has {} bytes; expected a sidecar of bowhist, less than {}", file.size(),
                  most_bytes);
    return parse_object(file, file.read_text());
}

ordered_json as_json(const WordFrequencies &frequencies) {
    return {{"images", frequencies.images},
            {"descriptors", frequencies.descriptors},
            {"images_with", frequencies.images_with}};
}

WordFrequencies frequencies_in(const Section &section) {
    return {section.get<std::uint64_t>("images"), section.get<std::uint64_t>("descriptors"),
            section.numbers<std::uint64_t>("images_with")};
}

ordered_json as_json(const VocabularySidecar &sidecar) {
    ordered_json training{{"seed", sidecar.seed},
                          {"iterations", sidecar.iterations},
                          {"inertia", sidecar.inertia},
                          {"descriptors", sidecar.descriptors},
                          {"of", sidecar.seen}};
    if (!sidecar.start.empty()) training["start"] = protect_bytes(sidecar.start);
    if (!sidecar.course.empty()) training["course"] = as_json(sidecar.course);
    ordered_json values{{"extractor", as_json(sidecar.recipe)}, {"training", std::move(training)}};
    if (sidecar.preparation) values["prepare"] = as_json(*sidecar.preparation);
    if (sidecar.frequencies) values["frequencies"] = as_json(*sidecar.frequencies);
    if (!sidecar.tree.empty()) values["tree"] = protect_bytes(sidecar.tree);
    values["fingerprint"] = protect_bytes(sidecar.fingerprint);
    values["version"] = protect_bytes(sidecar.version);
    return values;
}

VocabularySidecar vocabulary_sidecar_in(const Section &record) {
    const Section training = record.section("training");
    std::optional<Preparation> preparation;
    if (record.has("prepare")) preparation = preparation_in(record.section("prepare"));
    std::optional<WordFrequencies> frequencies;
    if (record.has("frequencies")) frequencies = frequencies_in(record.section("frequencies"));
    return {.recipe = recipe_in(record.section("extractor")),
            .seed = training.get<std::uint64_t>("seed"),
            .iterations = training.get<int>("iterations"),
            .inertia = training.get<double>("inertia"),
            .descriptors = training.get<std::uint64_t>("descriptors"),
            .fingerprint = record.text("fingerprint"),
            .version = record.text("version"),
            .seen = training.get<std::uint64_t>(training.has("of") ? "of" : "descriptors"),
            .start = training.has("start") ? training.text("start") : "",
            .course = training.has("course") ? course_in(training.section("course"))
                                             : std::vector<Iteration>(),
            .preparation = std::move(preparation),
            .frequencies = std::move(frequencies),
            .tree = record.has("tree") ? record.text("tree") : ""};
}

void require_finite(const fs::path &path, std::string_view name, double value) {
    if (std::isfinite(value)) return;
    throw Error(Fault::output, fmt::format("{}: cannot hold {} {}; JSON knows finite numbers only",
                                           path, name, value));
}

} // namespace

ordered_json as_json(const std::vector<Iteration> &course) {
    ordered_json columns{
        {"inertia", json::array()}, {"moved", json::array()}, {"empty", json::array()}};
    for (const Iteration &iteration :
         std::span(course).first(std::min(course.size(), VocabularySidecar::most_iterations))) {
        columns["inertia"].push_back(iteration.inertia);
        columns["moved"].push_back(iteration.moved);
        columns["empty"].push_back(iteration.empty);
    }
    return columns;
}

std::vector<Iteration> course_in(const Section &columns) {
    const std::vector<double> inertia = columns.numbers<double>("inertia");
    const auto moved = columns.numbers<std::uint64_t>("moved");
    const auto empty = columns.numbers<std::uint64_t>("empty");
    if (moved.size() != inertia.size() || empty.size() != inertia.size())
        columns.fail("its \"course\" has columns of different lengths");
    std::vector<Iteration> course;
    for (std::size_t i = 0; i < inertia.size(); ++i)
        course.push_back({inertia[i], moved[i], empty[i]});
    return course;
}

std::uint64_t row_fingerprint(std::span<const float> rows) {
    return XXH3_64bits(rows.data(), rows.size_bytes());
}

fs::path sidecar_path(const fs::path &file) {
    return file.native() + ".json";
}

SidecarAnswer read_vocabulary_sidecar(const fs::path &vocabulary, const std::string &fingerprint) {
    const fs::path path = sidecar_path(vocabulary);
    if (is_missing(path)) return {};
    InputFile file(path, Fault::vocabulary);
    const json values = read_json(file, most_of_vocabulary);
    const Section all(file, values);
    if (!all.has("fingerprint") && (all.has("picture") || all.has("pictures")))
        file.fail("describes pictures' descriptors, not a vocabulary; bowhist train learns one "
                  "from them");
    if (all.text("fingerprint") == fingerprint) return {vocabulary_sidecar_in(all)};
    if (!all.has("replaces")) return {.sidecar = {}, .of_another = true};
    const Section old = all.section("replaces");
    if (old.text("fingerprint") != fingerprint) return {.sidecar = {}, .of_another = true};
    if (!old.has("extractor")) return {};
    return {vocabulary_sidecar_in(old)};
}

std::optional<DescriptorSidecar> read_descriptor_sidecar(const fs::path &descriptors) {
    const fs::path path = sidecar_path(descriptors);
    if (is_missing(path)) return std::nullopt;
    InputFile file(path, Fault::input);
    const json values = read_json(file, most_of_descriptors);
    return descriptor_sidecar_in(Section(file, values));
}

std::string sidecar_text(const fs::path &path, const VocabularySidecar &sidecar,
                         const std::optional<ReplacedVocabulary> &replaces) {
    require_finite(path, "threshold", sidecar.recipe.threshold);
    require_finite(path, "inertia", sidecar.inertia);
    ordered_json values = as_json(sidecar);
    if (replaces)
        values["replaces"] =
            replaces->sidecar ? as_json(*replaces->sidecar)
                              : ordered_json{{"fingerprint", protect_bytes(replaces->fingerprint)}};
    return text_of(values, 2) + "\n";
}

std::string sidecar_text(const fs::path &path, const DescriptorSidecar &sidecar) {
    require_finite(path, "threshold", sidecar.recipe.threshold);
    return text_of(as_json(sidecar), 2) + "\n";
}

} // namespace bowhist
