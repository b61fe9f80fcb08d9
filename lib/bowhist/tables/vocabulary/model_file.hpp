#pragma once

#include <bowhist/core/codes.hpp>
#include <bowhist/core/vocabulary.hpp>

#include <filesystem>

namespace bowhist {

/// Whether the file is an `.npz` that says it is a model. False for one that cannot be read.
bool holds_model(const std::filesystem::path &path);

/// model_file.cpp describes the format.
/// @throws Error{Fault::vocabulary} when it is no model, is damaged, or its parts do not fit
VladModel read_model(const std::filesystem::path &path);

/// Writes it whole or not at all, with its fingerprint in place of the model's own.
/// @throws Error{Fault::output}
/// @param codes  of images by this model, to keep with it
void write_model(const std::filesystem::path &path, const VladModel &model,
                 const StoredCodes *codes = nullptr);

/// The codes that a model's file keeps.
/// @param model  of that file, by read_model()
/// @throws Error{Fault::input} where it keeps none, or none of this model
StoredCodes read_stored_codes(const std::filesystem::path &path, const VladModel &model);

/// XXH3-128 over the recipe, the preparation and all arrays: equal models make equal rows.
std::string fingerprint(const VladModel &model);

} // namespace bowhist
