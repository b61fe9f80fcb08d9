// Sidecars: JSON beside a file, under its name with ".json" appended.
//
// c.bin.json, beside a vocabulary:
//     {"extractor": {"name", "upright", "threshold", "max_descriptors", "max_side"},
//      "training": {"seed", "iterations", "inertia", "descriptors"},
//      "fingerprint": of c.bin, "version": of bowhist,
//      "replaces": only while a new c.bin takes the old one's place: these four of the old c.bin,
//                  or its "fingerprint" alone where it had no sidecar}
// x.npy.json, beside the descriptors of one picture:
//     {"picture": its path (bytes that are not UTF-8 as \udcXX), "extractor": as above}
// Where pictures were preprocessed, "extractor" also holds
//     "preprocessing": {"equalize", "blur": sigma, 0 for none, and, where there is a filter,
//                       "filter": {"name", "width", "height", "weights": [row after row]}}
//
// Other keys are passed over, so that later versions may add some.

#include <bowhist/tables/sidecar.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/input_file.hpp>
#include <bowhist/io/json_section.hpp>
#include <bowhist/io/surrogate_escape.hpp>

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace bowhist {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;

namespace {

/// The sidecar's outermost object.
json parse(InputFile &file) {
    constexpr std::uint64_t most_bytes = 1 << 20; // a path is at most 4 KiB, the rest is short
    if (file.size() > most_bytes)
        file.fail(fmt::format("has {} bytes; expected a sidecar of bowhist, less than {}",
                              file.size(), most_bytes));
    try {
        json values = json::parse(protect_escapes(file.read_text()));
        if (values.is_object()) return values;
    } catch (const json::exception &exception) {
        file.fail("is no valid JSON; repair it or remove it: " + excerpt(exception.what()));
    }
    file.fail("expected a JSON object {...}; repair it or remove it");
}

bool nothing_at(const fs::path &sidecar) {
    std::error_code unknown; // then opening it tells the reason
    return fs::status(sidecar, unknown).type() == fs::file_type::not_found;
}

Preprocessing preprocessing_in(const Section &section) {
    Preprocessing steps{.equalize = section.boolean("equalize"),
                        .blur_sigma = section.number("blur"),
                        .filter_name = {},
                        .filter = {}};
    if (section.has("filter")) {
        const Section filter = section.section("filter");
        steps.filter_name = filter.text("name");
        steps.filter = {filter.whole<std::size_t>("width"), filter.whole<std::size_t>("height"),
                        filter.numbers("weights")};
        if (steps.filter_name.empty()) section.fail("holds a filter without a name; repair it");
    }
    if (const auto fault = fault_of(steps)) section.fail("holds " + *fault);
    return steps;
}

ExtractorRecord extractor_in(const Section &section) {
    ExtractorRecord record{
        section.text("name"), section.boolean("upright"), section.number("threshold"),
        section.whole<std::size_t>("max_descriptors"), section.whole<int>("max_side")};
    if (record.threshold < 0)
        section.fail(fmt::format("holds a threshold of {}; give a positive number, or 0 for the "
                                 "extractor's own",
                                 record.threshold));
    if (section.has("preprocessing"))
        record.preprocessing = preprocessing_in(section.section("preprocessing"));
    return record;
}

ordered_json as_json(const Preprocessing &steps) {
    ordered_json values{{"equalize", steps.equalize}, {"blur", steps.blur_sigma}};
    if (!steps.filter_name.empty())
        values["filter"] = {{"name", protect_bytes(steps.filter_name)},
                            {"width", steps.filter.width},
                            {"height", steps.filter.height},
                            {"weights", steps.filter.weights}};
    return values;
}

ordered_json as_json(const ExtractorRecord &record) {
    ordered_json values{{"name", protect_bytes(record.extractor)},
                        {"upright", record.upright},
                        {"threshold", record.threshold},
                        {"max_descriptors", record.max_descriptors},
                        {"max_side", record.max_side}};
    if (record.preprocessing.any()) values["preprocessing"] = as_json(record.preprocessing);
    return values;
}

ordered_json as_json(const VocabularySidecar &sidecar) {
    return {{"extractor", as_json(sidecar.extractor)},
            {"training",
             {{"seed", sidecar.seed},
              {"iterations", sidecar.iterations},
              {"inertia", sidecar.inertia},
              {"descriptors", sidecar.descriptors}}},
            {"fingerprint", protect_bytes(sidecar.fingerprint)},
            {"version", protect_bytes(sidecar.version)}};
}

VocabularySidecar vocabulary_sidecar_in(const Section &record) {
    const Section training = record.section("training");
    return {extractor_in(record.section("extractor")),
            training.whole<std::uint64_t>("seed"),
            training.whole<int>("iterations"),
            training.number("inertia"),
            training.whole<std::uint64_t>("descriptors"),
            record.text("fingerprint"),
            record.text("version")};
}

void require_finite(const fs::path &path, std::string_view name, double value) {
    if (std::isfinite(value)) return;
    throw Error(Fault::output, fmt::format("{}: cannot hold {} {}; JSON knows finite numbers only",
                                           printable(path), name, value));
}

AtomicFile prepare(const fs::path &path, const ordered_json &values) {
    AtomicFile file(path);
    file.write(restore_escapes(values.dump(2)) + "\n");
    return file;
}

} // namespace

fs::path sidecar_path(const fs::path &file) {
    return file.native() + ".json";
}

SidecarAnswer read_vocabulary_sidecar(const fs::path &vocabulary, const std::string &fingerprint) {
    const fs::path path = sidecar_path(vocabulary);
    if (nothing_at(path)) return {};
    InputFile file(path, Fault::vocabulary);
    const json values = parse(file);
    const Section all(file, values);
    if (all.text("fingerprint") == fingerprint) return {vocabulary_sidecar_in(all)};
    if (!all.has("replaces")) return {.sidecar = {}, .of_another = true};
    const Section old = all.section("replaces");
    if (old.text("fingerprint") != fingerprint) return {.sidecar = {}, .of_another = true};
    if (!old.has("extractor")) return {};
    return {vocabulary_sidecar_in(old)};
}

std::optional<DescriptorSidecar> read_descriptor_sidecar(const fs::path &descriptors) {
    const fs::path path = sidecar_path(descriptors);
    if (nothing_at(path)) return std::nullopt;
    InputFile file(path, Fault::input);
    const json values = parse(file);
    const Section all(file, values);
    return DescriptorSidecar{all.text("picture"), extractor_in(all.section("extractor"))};
}

AtomicFile prepare_sidecar(const fs::path &vocabulary, const VocabularySidecar &sidecar,
                           const std::optional<ReplacedVocabulary> &replaces) {
    const fs::path path = sidecar_path(vocabulary);
    require_finite(path, "threshold", sidecar.extractor.threshold);
    require_finite(path, "inertia", sidecar.inertia);
    ordered_json values = as_json(sidecar);
    if (replaces)
        values["replaces"] =
            replaces->sidecar ? as_json(*replaces->sidecar)
                              : ordered_json{{"fingerprint", protect_bytes(replaces->fingerprint)}};
    return prepare(path, values);
}

void write_sidecar(const fs::path &descriptors, const DescriptorSidecar &sidecar) {
    const fs::path path = sidecar_path(descriptors);
    require_finite(path, "threshold", sidecar.extractor.threshold);
    prepare(path, {{"picture", protect_bytes(sidecar.picture)},
                   {"extractor", as_json(sidecar.extractor)}})
        .commit();
}

std::string as_options(const Preprocessing &steps) {
    std::string text;
    if (steps.equalize) text += " --equalize";
    if (steps.blur_sigma > 0) text += fmt::format(" --blur {}", steps.blur_sigma);
    if (!steps.filter_name.empty()) text += " --filter " + excerpt(steps.filter_name);
    return text;
}

std::string as_options(const ExtractorRecord &record) {
    std::string text = excerpt(record.extractor);
    if (record.upright) text += " --upright";
    if (record.threshold > 0) text += fmt::format(" --threshold {}", record.threshold);
    if (record.max_descriptors > 0)
        text += fmt::format(" --max-descriptors {}", record.max_descriptors);
    text += as_options(record.preprocessing);
    return text + fmt::format(" --max-side {}", record.max_side);
}

} // namespace bowhist
