#pragma once

#include <bowhist/core/recipe.hpp>
#include <bowhist/tables/formats/json_section.hpp>
#include <bowhist/tables/formats/sidecar.hpp>

#include <nlohmann/json.hpp>

#include <string>

// The JSON of sidecars, and of the `meta` in archives. What it says is told in sidecar.cpp.

namespace bowhist {

/// @param take nlohmann's: sees each value as it comes; one that it refuses is left out
/// @throws Error of the file's fault unless `text` is an object
nlohmann::json parse_object(const ByteSource &file, const std::string &text,
                            const nlohmann::json::parser_callback_t &take = nullptr);

Recipe recipe_in(const Section &section);
nlohmann::ordered_json as_json(Recipe recipe);

DescriptorSidecar descriptor_sidecar_in(const Section &section);
nlohmann::ordered_json as_json(const DescriptorSidecar &sidecar);

std::vector<Iteration> course_in(const Section &columns);
nlohmann::ordered_json as_json(const std::vector<Iteration> &course);

/// All in ASCII or UTF-8, by lines where `indent` is not -1.
std::string text_of(const nlohmann::ordered_json &values, int indent);

} // namespace bowhist
