#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/tables/formats/sidecar.hpp>

#include <filesystem>
#include <optional>

namespace bowhist {

/// One picture's descriptors, with what their file tells of them.
struct SavedDescriptors {
    Descriptors descriptors;
    std::optional<DescriptorSidecar> told = {}; ///< nothing where they have no sidecar
};

/// True for the endings `.npy`, `.npz`, `.fvecs`, `.fbin` (any case).
bool is_descriptor_file(const std::filesystem::path &path);

/// Whether a file of a folder is to be taken for one: by its ending; an `.npz`, which often holds
/// histograms, by its entries. A broken one is taken, and tells so when it is read.
bool holds_descriptors(const std::filesystem::path &path);

/// Reads one picture's descriptors: `.npy` n×D float32 in C order; `.npz` the entry `descriptors`
/// of that kind, and `keypoints` if there is one; `.fvecs` rows of int32 D and D float32; `.fbin`
/// uint32 n, uint32 D and n·D float32. No rows at all is fine.
/// @throws Error{Fault::input} for anything else, NaN and infinity with their row.
Descriptors read_descriptors(const std::filesystem::path &path);

/// The same with its sidecar, which an `.npz` holds itself (but may have beside it, too).
/// @throws Error{Fault::input}
SavedDescriptors load_descriptors(const std::filesystem::path &path);

/// Writes by ending, whole or not at all; what is to be told goes into a sidecar. An `.npz` holds
/// it itself, and the keypoints where they are known.
/// @throws Error{Fault::output}; Fault::usage for another ending.
void write_descriptors(const std::filesystem::path &path, const Descriptors &descriptors,
                       const std::optional<DescriptorSidecar> &told = {});

} // namespace bowhist
