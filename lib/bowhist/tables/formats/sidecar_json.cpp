#include <bowhist/tables/formats/sidecar_json.hpp>

#include <bowhist/core/as_number.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>

#include <fmt/format.h>

#include <array>

namespace bowhist {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

Preprocessing preprocessing_in(const Section &section) {
    Preprocessing steps{.equalize = section.get<bool>("equalize"),
                        .blur_sigma = section.get<double>("blur"),
                        .filter_name = {},
                        .filter = {}};
    if (section.has("filter")) {
        const Section filter = section.section("filter");
        steps.filter_name = filter.text("name");
        steps.filter = {filter.get<std::size_t>("width"), filter.get<std::size_t>("height"),
                        filter.numbers<float>("weights")};
        if (steps.filter_name.empty()) section.fail("holds a filter without a name; repair it");
    }
    if (const auto fault = fault_of(steps)) section.fail("holds {}", *fault);
    return steps;
}

/// Another program may use these names for values of other kinds; such an origin is unknown.
std::optional<DescriptorOrigin> origin_in(const Section &section) {
    if (!section.has("source")) return std::nullopt;
    try {
        const Section source = section.section("source");
        return DescriptorOrigin{source.get<std::uint64_t>("bytes"),
                                source.get<std::uint64_t>("modified"), fingerprint_in(section),
                                section.text("version")};
    } catch (const Error &) {
        return std::nullopt;
    }
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

} // namespace

json parse_object(const ByteSource &file, const std::string &text,
                  const json::parser_callback_t &take) {
    try {
        json values = json::parse(protect_escapes(text), take);
        if (values.is_object()) return values;
    } catch (const json::exception &exception) {
        file.fail("is no valid JSON; repair it or remove it: {}", excerpt(exception.what()));
    }
    file.fail("expected a JSON object {{...}}; repair it or remove it");
}

Recipe recipe_in(const Section &section) {
    Recipe recipe;
    for (const RecipeOption &option : recipe_options) {
        if (!option.applies_to(recipe)) continue; // the first is the extractor
        if (option.optional && !section.has(option.key)) continue;
        const auto read = [&]<typename Value>(Value Recipe::*member) {
            recipe.*member = section.get<Value>(option.key);
        };
        std::visit(read, option.member);
    }
    if (recipe.threshold < 0)
        section.fail(
            "holds a threshold of {}; give a positive number, or 0 for the extractor's own",
            recipe.threshold);
    if (section.has("preprocessing"))
        recipe.preprocessing = preprocessing_in(section.section("preprocessing"));
    return recipe;
}

ordered_json as_json(Recipe recipe) {
    recipe.max_side = recipe.largest_side();
    ordered_json values;
    for (const RecipeOption &option : recipe_options) {
        if (!option.applies_to(recipe)) continue;
        if (option.optional && option.same(recipe, Recipe())) continue;
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

std::string fingerprint_text(std::uint64_t fingerprint) {
    return fmt::format("{:016x}", fingerprint);
}

std::uint64_t fingerprint_in(const Section &section) {
    const std::string digits = section.text("fingerprint");
    if (const auto value = as_number<std::uint64_t>(digits, 16)) return *value;
    section.fail("holds a fingerprint of \"{}\"; expected hexadecimal digits", excerpt(digits));
}

DescriptorSidecar descriptor_sidecar_in(const Section &section) {
    return {section.text("picture"), recipe_in(section.section("extractor")), origin_in(section)};
}

ordered_json as_json(const DescriptorSidecar &sidecar) {
    ordered_json values{{"picture", protect_bytes(sidecar.image)},
                        {"extractor", as_json(sidecar.recipe)}};
    if (const auto &origin = sidecar.origin) {
        values["source"] = {{"bytes", origin->bytes}, {"modified", origin->modified}};
        values["fingerprint"] = fingerprint_text(origin->fingerprint);
        values["version"] = protect_bytes(origin->version);
    }
    return values;
}

std::string text_of(const ordered_json &values, int indent) {
    return restore_escapes(values.dump(indent));
}

nlohmann::ordered_json as_json_without_whiten(const Preparation &preparation) {
    return {{"steps", as_text(preparation.steps)},
            {"mirroring", name_of(preparation.mirroring)},
            {"dimensions", preparation.dimensions},
            {"deviation", preparation.deviation}};
}

Preparation preparation_without_whiten_in(const Section &section) {
    Preparation preparation{.dimensions = section.get<std::size_t>("dimensions"),
                            .deviation = section.get<double>("deviation")};
    const std::string mirroring = section.text("mirroring");
    for (const Mirroring known : {Mirroring::none, Mirroring::columns, Mirroring::rows})
        if (name_of(known) == mirroring) preparation.mirroring = known;
    try {
        preparation.steps = parse_preparation(section.text("steps"));
    } catch (const Error &error) {
        section.fail("{}", error.what());
    }
    return preparation;
}

nlohmann::ordered_json as_json(const Preparation &preparation) {
    nlohmann::ordered_json values = as_json_without_whiten(preparation);
    if (preparation.mean.empty()) return values;
    values["mean"] = preparation.mean;
    values["projection"] = preparation.projection;
    return values;
}

Preparation preparation_in(const Section &section) {
    Preparation preparation = preparation_without_whiten_in(section);
    if (section.has("mean")) preparation.mean = section.numbers<float>("mean");
    if (section.has("projection")) preparation.projection = section.numbers<float>("projection");
    require_whole(section, preparation);
    return preparation;
}

void require_whole(const Section &section, const Preparation &preparation) {
    if (const auto fault = fault_of(preparation))
        section.fail("holds a preparation whose parts do not fit together: {}; learn it again",
                     *fault);
}

} // namespace bowhist
