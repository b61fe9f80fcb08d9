#pragma once

#include <bowhist/pipeline/inputs.hpp>

namespace bowhist {

/// What list_inputs() takes of one folder.
InputList search_folder(const std::filesystem::path &root, bool descriptors_only,
                        Observer &observer);

} // namespace bowhist
