#pragma once

#include <bowhist/io/input_file.hpp>
#include <bowhist/tables/descriptors/descriptor_file.hpp>

namespace bowhist {

/// @throws Error of the file's fault
SavedDescriptors read_npz_descriptors(InputFile &file);

void write_npz_descriptors(const std::filesystem::path &path, const Descriptors &descriptors,
                           const std::optional<DescriptorSidecar> &told);

/// False when it opens and has no descriptors, or histograms. What is broken may be one.
bool may_be_descriptor_npz(const std::filesystem::path &path);

} // namespace bowhist
