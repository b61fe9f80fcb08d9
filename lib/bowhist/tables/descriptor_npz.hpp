#pragma once

#include <bowhist/io/input_file.hpp>
#include <bowhist/tables/descriptor_file.hpp>

namespace bowhist {

/// @throws Error of the file's fault
SavedDescriptors read_npz_descriptors(InputFile &file);

void write_npz_descriptors(const std::filesystem::path &path, const Descriptors &descriptors,
                           const std::optional<DescriptorSidecar> &told);

/// Whether it has the entries of one that can be read.
bool is_descriptor_npz(const std::filesystem::path &path);

} // namespace bowhist
