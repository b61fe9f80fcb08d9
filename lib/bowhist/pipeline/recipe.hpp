#pragma once

#include <bowhist/core/recipe.hpp>
#include <bowhist/pipeline/descriptor_stream.hpp>
#include <bowhist/tables/vocabulary/vocabulary_pair.hpp>

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>

namespace bowhist {

/// Options given explicitly. The others are the vocabulary sidecar's, or the defaults.
struct RecipeRequest {
    Recipe recipe = {};
    std::set<std::string_view> given = {}; ///< the options given in `recipe`: "--upright", "--blur"
};

/// A recipe with its extractor. The vocabulary outlives it.
class PreparedRecipe {
  public:
    /// The given options, and defaults. @throws as make_extractor
    explicit PreparedRecipe(const RecipeRequest &asked);

    /// The options of the vocabulary's sidecar. Given options may change how many descriptors there
    /// are, not what they mean. Without a recipe in the sidecar: the given options.
    /// @throws Error{Fault::usage} for a conflict, naming both; Error{Fault::vocabulary} for an
    ///         extractor of the sidecar's that cannot be made; else as make_extractor
    PreparedRecipe(const RecipeRequest &asked, const VocabularyPair &vocabulary);
    PreparedRecipe(const RecipeRequest &asked, VocabularyPair &&vocabulary) = delete;

    /// Its threshold is the one that is used, never 0.
    const Recipe &recipe() const { return recipe_; }
    const Extractor &extractor() const { return *extractor_; }

    /// `options` with all that the recipe says of these inputs: the images' size and preprocessor
    /// (a device is opened only where there are images), which descriptor files fit, how few
    /// descriptors are few. Warns where preprocessing that was asked for passes by descriptor
    /// files.
    /// @throws Error{Fault::vocabulary} when the images' descriptors cannot fit the vocabulary;
    ///         as require_decoders, make_preprocessor
    StreamOptions options_for(const InputList &list, StreamOptions options,
                              const PreprocessorOptions &device, Observer &observer) const;

  private:
    std::string doubt(bool guessed) const;

    RecipeRequest asked_;
    const VocabularyPair *vocabulary_ = nullptr; ///< null where it is still to be learned
    bool by_sidecar_ = false;
    Recipe recipe_;
    std::unique_ptr<Extractor> extractor_;
};

/// Refuses given options whose values differ from those that a model's images were described by,
/// decisive or not, so that all its rows are made alike. A model that records no recipe takes any.
/// @param flags  what options are called here: "--", or "--words-" and the like
/// @throws Error{Fault::usage} naming the first
void require_recorded(const RecipeRequest &asked, const Recipe &recorded,
                      const std::filesystem::path &model, std::string_view flags = "--");

/// The filter of that name; else the weights in the file of that path. A file that is called like a
/// filter is reached by ./NAME. @throws Error{Fault::usage} when there is neither; as read_filter
Filter find_filter(const std::string &name_or_path);

} // namespace bowhist
