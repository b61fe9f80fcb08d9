#pragma once

#include <bowhist/core/cells.hpp>
#include <bowhist/core/vocabulary.hpp>
#include <bowhist/pipeline/recipe.hpp>
#include <bowhist/pipeline/word_stream.hpp>
#include <bowhist/tables/vocabulary/vocabulary_pair.hpp>

namespace bowhist {

/// Images in, out their codes, or whole rows where the model has no projection; in input order. For
/// a level on the host, descriptors are prepared on the threads that extract them; a device does
/// all but the last steps (tally_stream.hpp). An image without descriptors has zeros, and shows no
/// word; others show the words of their prepared rows, mirrored ones included. Each of several
/// cells (in_cells.hpp) has the code or the row that its descriptors would have as an image: the
/// model's projection was learned from whole images, so it is taken of each cell alone.
/// @param options   as PreparedRecipe made them by descriptors_of(); its `dimensions` and `prepare`
///                  are set here
/// @param assigner  of any level, prepared for the model's words
/// @throws as stream_words
StreamCounts stream_encoded(std::span<const Input> inputs, const PreparedRecipe &recipe,
                            const VladModel &model, Assigner &assigner, StreamOptions options,
                            Observer &observer, const std::function<void(EncodedImage &&)> &sink,
                            const CellGrids &grids = whole_image);

/// A model as PreparedRecipe needs it: how its descriptors are made, and their dimensions. No
/// words.
VocabularyPair descriptors_of(const VladModel &model, const std::filesystem::path &path);

} // namespace bowhist
