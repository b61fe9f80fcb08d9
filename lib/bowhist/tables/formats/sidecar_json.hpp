#pragma once

#include <bowhist/core/preparation.hpp>
#include <bowhist/core/recipe.hpp>
#include <bowhist/io/input_file.hpp>
#include <bowhist/io/surrogate_escape.hpp>
#include <bowhist/tables/formats/sidecar.hpp>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

// The JSON of sidecars, and of `meta` in archives. sidecar.cpp describes it.

namespace bowhist {

/// One JSON object of a sidecar; a value that is missing or of another kind is an Error. Borrows
/// the file and the values, which outlive it.
class Section {
  public:
    Section(const ByteSource &file, const nlohmann::json &values) : file_(file), values_(values) {}

    Section section(const char *key) const {
        return {file_, at(key, "{...}", &nlohmann::json::is_object)};
    }
    bool has(const char *key) const { return values_.contains(key); }
    template <typename... Values>
    [[noreturn]] void fail(fmt::format_string<Values...> what, Values &&...values) const {
        file_.fail(what, std::forward<Values>(values)...);
    }
    const nlohmann::json &list(const char *key) const {
        return at(key, "[...]", &nlohmann::json::is_array);
    }
    template <typename Number>
    std::vector<Number> numbers(const char *key) const {
        std::vector<Number> all;
        for (const nlohmann::json &value : list(key)) {
            const bool fits =
                std::is_unsigned_v<Number> ? value.is_number_unsigned() : value.is_number();
            if (!fits)
                file_.fail("its \"{}\" holds a {}; expected {}numbers", key, value.type_name(),
                           std::is_unsigned_v<Number> ? "whole " : "");
            all.push_back(value.get<Number>());
        }
        return all;
    }
    std::string text(const char *key) const { return get<std::string>(key); }
    /// A text, a bool, a floating-point number or a whole one from 0 on.
    template <typename Value>
    Value get(const char *key) const {
        using nlohmann::json;
        if constexpr (std::is_same_v<Value, std::string>) {
            return restore_bytes(at(key, "text", &json::is_string).get_ref<const Value &>());
        } else if constexpr (std::is_same_v<Value, bool>) {
            return at(key, "true or false", &json::is_boolean).get<Value>();
        } else if constexpr (std::is_floating_point_v<Value>) {
            return at(key, "a number", &json::is_number).get<Value>();
        } else {
            const json &whole = at(key, "a whole number", &json::is_number_unsigned);
            const auto value = whole.get<std::uint64_t>();
            if (value > static_cast<std::uint64_t>(std::numeric_limits<Value>::max()))
                file_.fail("its \"{}\" is too large: {}", key, value);
            return static_cast<Value>(value);
        }
    }

  private:
    const nlohmann::json &at(const char *key, std::string_view expected,
                             bool (nlohmann::json::*is_expected)() const noexcept) const {
        const auto found = values_.find(key);
        if (found == values_.end() || !((*found).*is_expected)())
            file_.fail("expected \"{}\": {}, found {}; repair it or remove it", key, expected,
                       found == values_.end() ? "nothing" : found->type_name());
        return *found;
    }

    const ByteSource &file_;
    const nlohmann::json &values_;
};

/// @param take  nlohmann's callback: it sees each value as it is parsed; a value that it refuses is
///              left out
/// @throws Error of the file's fault unless `text` is an object
nlohmann::json parse_object(const ByteSource &file, const std::string &text,
                            const nlohmann::json::parser_callback_t &take = nullptr);

Recipe recipe_in(const Section &section);
nlohmann::ordered_json as_json(Recipe recipe);

/// The 16 hexadecimal digits of row_fingerprint().
std::string fingerprint_text(std::uint64_t fingerprint);
/// The value of "fingerprint" in a sidecar.
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

// The JSON of preparations, in sidecars of vocabularies and in `meta` of models.

namespace bowhist {

/// The steps, "mirroring", "dimensions", "deviation"; without the numbers of whiten.
nlohmann::ordered_json as_json_without_whiten(const Preparation &preparation);

/// Reads the JSON of as_json_without_whiten(). @throws Error of the file's fault
Preparation preparation_without_whiten_in(const Section &section);

/// All of it: with whiten also "mean" and "projection", row after row.
nlohmann::ordered_json as_json(const Preparation &preparation);
Preparation preparation_in(const Section &section);

/// @throws Error of the file's fault where its parts do not fit together
void require_whole(const Section &section, const Preparation &preparation);

} // namespace bowhist
