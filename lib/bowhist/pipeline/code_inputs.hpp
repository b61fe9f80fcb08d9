#pragma once

#include <bowhist/core/codes.hpp>
#include <bowhist/core/vocabulary.hpp>
#include <bowhist/pipeline/recipe.hpp>
#include <bowhist/pipeline/run_summary.hpp>

#include <filesystem>

namespace bowhist {

/// Codes of images by a model that is there.
struct CodeRequest {
    std::filesystem::path model; ///< for messages
    InputSource inputs = {};
    RecipeRequest recipe = {};
    StreamOptions stream = {};
    LevelRequest level = {}; ///< its threads, observer and estimates are set here
};

struct CodedInputs {
    InputSummary inputs;
    StoredCodes codes;         ///< in the order of the inputs
    std::size_t unchanged = 0; ///< images whose stored code was taken
};

/// Makes codes of the inputs. An image that `stored` has with the same stamp keeps its code, and is
/// not opened. An input that cannot be used is reported to the observer and left out.
/// @param model  makes codes
/// @throws as make_histograms; Error{Fault::usage} when request.recipe gives an option whose value
///         is not the model's
CodedInputs code_inputs(const CodeRequest &request, const VladModel &model,
                        const StoredCodes &stored, Observer &observer);

/// A file's stamp now; zeros where it is missing.
FileStamp stamp_of(const std::filesystem::path &path);

} // namespace bowhist
