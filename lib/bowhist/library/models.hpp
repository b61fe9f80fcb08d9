#pragma once

#include <bowhist/core/vocabulary.hpp>
#include <bowhist/tables/vocabulary/vocabulary_pair.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace bowhist {

/// The models that make the descriptions of a library. Each has its recipe.
struct LibraryModels {
    std::optional<VocabularyPair> words;
    std::optional<VladModel> code;
};

/// A model as the library keeps it: the bytes of its files.
struct StoredModel {
    std::string kind; ///< "words", "code"
    std::string fingerprint;
    std::string recipe;   ///< for people: "surf --threshold 10"
    std::string model;    ///< c.bin, with c.bin.tree behind it where words are found by descending
                          ///< it; or a model's .npz
    std::string record;   ///< c.bin.json, or nothing
    std::size_t size = 0; ///< words, or components of a code
};

/// Whether a model of this size in bytes may have that number of words or components: each takes
/// some.
constexpr bool is_size_of_model(std::int64_t size, std::int64_t bytes) {
    return size > 0 && size < bytes;
}

/// Whether it is a kind that this program knows, and of words the size that the model begins with.
bool is_possible_model(std::string_view kind, std::int64_t size, std::string_view model);

/// The rule that finds the words of a model of that recipe, as VocabularyPair::rule().
std::string rule_of(const std::string &recipe);

/// @throws Error{Fault::vocabulary} where no recipe is recorded
StoredModel stored(const VocabularyPair &words);
StoredModel stored(const VladModel &code);

/// @param library  for messages
/// @throws Error{Fault::vocabulary} when it is damaged
VocabularyPair words_model_of(const StoredModel &stored, const std::filesystem::path &library);
VladModel code_model_of(const StoredModel &stored, const std::filesystem::path &library);
/// All models that a library has.
LibraryModels read_models(std::span<const StoredModel> stored,
                          const std::filesystem::path &library);

} // namespace bowhist
