// Sidecars: JSON beside a file, under its name with ".json" appended.
//
// c.bin.json, beside a vocabulary:
//     {"extractor": {"name", "upright", "threshold", "max_descriptors", "max_side"},
//      "training": {"seed", "iterations", "inertia", "descriptors", "of": so many that there were},
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

template <typename Value>
Value value_in(const Section &section, const char *key) {
    if constexpr (std::is_same_v<Value, std::string>)
        return section.text(key);
    else if constexpr (std::is_same_v<Value, bool>)
        return section.boolean(key);
    else if constexpr (std::is_floating_point_v<Value>)
        return section.number(key);
    else
        return section.whole<Value>(key);
}

Recipe recipe_in(const Section &section) {
    Recipe recipe;
    for (const RecipeOption &option : recipe_options) {
        if (!option.applies_to(recipe)) continue; // the first is the extractor
        const auto read = [&]<typename Value>(Value Recipe::*member) {
            recipe.*member = value_in<Value>(section, option.key);
        };
        std::visit(read, option.member);
    }
    if (recipe.threshold < 0)
        section.fail(fmt::format("holds a threshold of {}; give a positive number, or 0 for the "
                                 "extractor's own",
                                 recipe.threshold));
    if (section.has("preprocessing"))
        recipe.preprocessing = preprocessing_in(section.section("preprocessing"));
    return recipe;
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

ordered_json as_json(const Recipe &recipe) {
    ordered_json values;
    for (const RecipeOption &option : recipe_options) {
        if (!option.applies_to(recipe)) continue;
        const auto write = [&]<typename Value>(Value Recipe::*member) {
            if constexpr (std::is_same_v<Value, std::string>)
                values[option.key] = protect_bytes(recipe.*member);
            else
                values[option.key] = recipe.*member;
        };
        std::visit(write, option.member);
    }
    if (recipe.preprocessing.any()) values["preprocessing"] = as_json(recipe.preprocessing);
    return values;
}

ordered_json as_json(const VocabularySidecar &sidecar) {
    return {{"extractor", as_json(sidecar.recipe)},
            {"training",
             {{"seed", sidecar.seed},
              {"iterations", sidecar.iterations},
              {"inertia", sidecar.inertia},
              {"descriptors", sidecar.descriptors},
              {"of", sidecar.seen}}},
            {"fingerprint", protect_bytes(sidecar.fingerprint)},
            {"version", protect_bytes(sidecar.version)}};
}

VocabularySidecar vocabulary_sidecar_in(const Section &record) {
    const Section training = record.section("training");
    return {recipe_in(record.section("extractor")),
            training.whole<std::uint64_t>("seed"),
            training.whole<int>("iterations"),
            training.number("inertia"),
            training.whole<std::uint64_t>("descriptors"),
            record.text("fingerprint"),
            record.text("version"),
            training.whole<std::uint64_t>(training.has("of") ? "of" : "descriptors")};
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
    return DescriptorSidecar{all.text("picture"), recipe_in(all.section("extractor"))};
}

AtomicFile prepare_sidecar(const fs::path &vocabulary, const VocabularySidecar &sidecar,
                           const std::optional<ReplacedVocabulary> &replaces) {
    const fs::path path = sidecar_path(vocabulary);
    require_finite(path, "threshold", sidecar.recipe.threshold);
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
    require_finite(path, "threshold", sidecar.recipe.threshold);
    prepare(path,
            {{"picture", protect_bytes(sidecar.picture)}, {"extractor", as_json(sidecar.recipe)}})
        .commit();
}

} // namespace bowhist
