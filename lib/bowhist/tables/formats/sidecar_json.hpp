#pragma once

#include <bowhist/core/recipe.hpp>
#include <bowhist/tables/formats/json_section.hpp>
#include <bowhist/tables/formats/sidecar.hpp>

#include <nlohmann/json.hpp>

#include <string>

// The JSON of sidecars, and of `meta` in archives. sidecar.cpp describes it.

namespace bowhist {

/// @param take  nlohmann's callback: it sees each value as it is parsed; a value that it refuses is
///              left out
/// @throws Error of the file's fault unless `text` is an object
nlohmann::json parse_object(const ByteSource &file, const std::string &text,
                            const nlohmann::json::parser_callback_t &take = nullptr);

Recipe recipe_in(const Section &section);
nlohmann::ordered_json as_json(Recipe recipe);

/// The 16 hexadecimal digits of row_fingerprint().
std::string fingerprint_text(std::uint64_t fingerprint);
/// What a sidecar holds under "fingerprint".
std::uint64_t fingerprint_in(const Section &section);

DescriptorSidecar descriptor_sidecar_in(const Section &section);
nlohmann::ordered_json as_json(const DescriptorSidecar &sidecar);

std::vector<Iteration> course_in(const Section &columns);
nlohmann::ordered_json as_json(const std::vector<Iteration> &course);

/// The vocabulary that a new one is about to replace.
struct ReplacedVocabulary {
    std::string fingerprint;
    std::optional<VocabularySidecar> sidecar; ///< empty when it had no sidecar
};

/// The content of a sidecar.
/// @param path      its own, for messages
/// @param replaces  the vocabulary that may still lie there, whose record is kept as well
/// @throws Error{Fault::output} for a number that JSON cannot hold
std::string sidecar_text(const std::filesystem::path &path, const VocabularySidecar &sidecar,
                         const std::optional<ReplacedVocabulary> &replaces = {});
std::string sidecar_text(const std::filesystem::path &path, const DescriptorSidecar &sidecar);

/// All in ASCII or UTF-8, by lines where `indent` is not -1.
std::string text_of(const nlohmann::ordered_json &values, int indent);

} // namespace bowhist
