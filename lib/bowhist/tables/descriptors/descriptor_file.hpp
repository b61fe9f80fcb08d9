#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/tables/formats/sidecar.hpp>

#include <filesystem>
#include <optional>

namespace bowhist {

/// One image's descriptors, with the record of how they were made.
struct SavedDescriptors {
    Descriptors descriptors;
    std::optional<DescriptorSidecar> sidecar = {}; ///< empty where there is no sidecar
};

/// True for the endings `.npy`, `.npz`, `.fvecs`, `.fbin` (any case).
bool is_descriptor_file(const std::filesystem::path &path);

/// Whether a file found in a folder holds descriptors. The ending decides; for an `.npz`, which
/// often holds histograms, its entries. True for a broken file: reading it then reports the error.
bool holds_descriptors(const std::filesystem::path &path);

/// Reads one image's descriptors: `.npy` n×D float32 in C order; `.npz` the entry `descriptors`
/// of that kind, and `keypoints` if there is one; `.fvecs` rows of int32 D and D float32; `.fbin`
/// uint32 n, uint32 D and n·D float32. No rows at all is fine.
/// @throws Error{Fault::input} for anything else, NaN and infinity with their row.
Descriptors read_descriptors(const std::filesystem::path &path);

/// Reads them with their sidecar, which an `.npz` holds itself, or else has beside it.
/// @throws Error{Fault::input}
SavedDescriptors load_descriptors(const std::filesystem::path &path);

/// Writes by ending, whole or not at all, with the sidecar beside the file. An `.npz` holds the
/// sidecar itself, and the keypoints where they are known.
/// @throws Error{Fault::output}; Fault::usage for another ending.
void write_descriptors(const std::filesystem::path &path, const Descriptors &descriptors,
                       const std::optional<DescriptorSidecar> &sidecar = {});

} // namespace bowhist
