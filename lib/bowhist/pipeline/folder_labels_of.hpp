#pragma once

#include <bowhist/core/folder_labels.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/pipeline/inputs.hpp>

namespace bowhist {

/// The folders of the images that the inputs stand for, with a note that lists them. The images of
/// descriptor files are those that their sidecars name.
FolderLabels folder_labels_of(const InputList &list, Observer &observer);

} // namespace bowhist
