// Sidecars: JSON beside a file, under its name with ".json" appended.
//
// c.bin.json, beside a vocabulary:
//     {"extractor": {"name", "upright", "threshold", "max_descriptors", "max_side"},
//      "training": {"seed", "iterations", "inertia", "descriptors"},
//      "fingerprint": of c.bin, "version": of bowhist}
// x.npy.json, beside the descriptors of one picture:
//     {"picture": its path (bytes that are not UTF-8 as \udcXX), "extractor": as above}
// Where pictures were preprocessed, "extractor" also holds
//     "preprocessing": {"equalize", "blur": sigma, 0 for none, and, where there is a filter,
//                       "filter": {"name", "width", "height", "weights": [row after row]}}
//
// Other keys are passed over, so that later versions may add some.

#include <bowhist/files/sidecar.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/files/atomic_file.hpp>
#include <bowhist/files/input_file.hpp>
#include <bowhist/files/json_section.hpp>
#include <bowhist/files/surrogate_escape.hpp>

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace bowhist {

namespace fs = std::filesystem;
using nlohmann::json;

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
        file.fail("is no valid JSON; repair it or remove it: " + printable(exception.what()));
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

/// With the comma in front; empty when there is no preprocessing.
std::string text_of(const Preprocessing &steps) {
    if (!steps.any()) return {};
    std::string filter;
    if (!steps.filter_name.empty())
        filter =
            fmt::format(R"(, "filter": {{"name": {}, "width": {}, "height": {}, "weights": [{}]}})",
                        json_string(steps.filter_name), steps.filter.width, steps.filter.height,
                        fmt::join(steps.filter.weights, ", "));
    return fmt::format(R"(,
    "preprocessing": {{"equalize": {}, "blur": {}{}}})",
                       steps.equalize, steps.blur_sigma, filter);
}

std::string text_of(const ExtractorRecord &record) {
    constexpr std::string_view form = R"({{
    "name": {},
    "upright": {},
    "threshold": {},
    "max_descriptors": {},
    "max_side": {}{}
  }})";
    return fmt::format(form, json_string(record.extractor), record.upright, record.threshold,
                       record.max_descriptors, record.max_side, text_of(record.preprocessing));
}

void require_finite(const fs::path &path, std::string_view name, double value) {
    if (std::isfinite(value)) return;
    throw Error(Fault::output, fmt::format("{}: cannot hold {} {}; JSON knows finite numbers only",
                                           printable(path), name, value));
}

void write_whole(const fs::path &path, const std::string &text) {
    AtomicFile file(path);
    file.write(text);
    file.commit();
}

} // namespace

fs::path sidecar_path(const fs::path &file) {
    return file.native() + ".json";
}

std::optional<VocabularySidecar> read_vocabulary_sidecar(const fs::path &vocabulary) {
    const fs::path path = sidecar_path(vocabulary);
    if (nothing_at(path)) return std::nullopt;
    InputFile file(path, Fault::vocabulary);
    const json values = parse(file);
    const Section all(file, values);
    const Section training = all.section("training");
    return VocabularySidecar{extractor_in(all.section("extractor")),
                             training.whole<std::uint64_t>("seed"),
                             training.whole<int>("iterations"),
                             training.number("inertia"),
                             training.whole<std::uint64_t>("descriptors"),
                             all.text("fingerprint"),
                             all.text("version")};
}

std::optional<DescriptorSidecar> read_descriptor_sidecar(const fs::path &descriptors) {
    const fs::path path = sidecar_path(descriptors);
    if (nothing_at(path)) return std::nullopt;
    InputFile file(path, Fault::input);
    const json values = parse(file);
    const Section all(file, values);
    return DescriptorSidecar{all.text("picture"), extractor_in(all.section("extractor"))};
}

void write_sidecar(const fs::path &vocabulary, const VocabularySidecar &sidecar) {
    const fs::path path = sidecar_path(vocabulary);
    require_finite(path, "threshold", sidecar.extractor.threshold);
    require_finite(path, "inertia", sidecar.inertia);
    constexpr std::string_view form = R"({{
  "extractor": {},
  "training": {{
    "seed": {},
    "iterations": {},
    "inertia": {},
    "descriptors": {}
  }},
  "fingerprint": {},
  "version": {}
}}
)";
    write_whole(path, fmt::format(form, text_of(sidecar.extractor), sidecar.seed,
                                  sidecar.iterations, sidecar.inertia, sidecar.descriptors,
                                  json_string(sidecar.fingerprint), json_string(sidecar.version)));
}

void write_sidecar(const fs::path &descriptors, const DescriptorSidecar &sidecar) {
    const fs::path path = sidecar_path(descriptors);
    require_finite(path, "threshold", sidecar.extractor.threshold);
    write_whole(path, fmt::format("{{\n  \"picture\": {},\n  \"extractor\": {}\n}}\n",
                                  json_string(sidecar.picture), text_of(sidecar.extractor)));
}

std::string as_options(const Preprocessing &steps) {
    std::string text;
    if (steps.equalize) text += " --equalize";
    if (steps.blur_sigma > 0) text += fmt::format(" --blur {}", steps.blur_sigma);
    if (!steps.filter_name.empty()) text += " --filter " + printable(steps.filter_name);
    return text;
}

std::string as_options(const ExtractorRecord &record) {
    std::string text = record.extractor;
    if (record.upright) text += " --upright";
    if (record.threshold > 0) text += fmt::format(" --threshold {}", record.threshold);
    if (record.max_descriptors > 0)
        text += fmt::format(" --max-descriptors {}", record.max_descriptors);
    text += as_options(record.preprocessing);
    return text + fmt::format(" --max-side {}", record.max_side);
}

} // namespace bowhist
