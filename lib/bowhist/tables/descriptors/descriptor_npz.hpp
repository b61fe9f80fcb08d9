#pragma once

#include <bowhist/io/input_file.hpp>
#include <bowhist/tables/descriptors/descriptor_file.hpp>

namespace bowhist {

/// @throws Error of the file's fault
SavedDescriptors read_npz_descriptors(InputFile &file);

void write_npz_descriptors(const std::filesystem::path &path, const Descriptors &descriptors,
                           const std::optional<DescriptorSidecar> &sidecar);

/// False for an archive without descriptors or with histograms; true for one that does not open.
bool may_be_descriptor_npz(const std::filesystem::path &path);

} // namespace bowhist
