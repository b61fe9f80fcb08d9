#include <bowhist/pipeline/folder_labels_of.hpp>

#include <bowhist/core/printable.hpp>
#include <bowhist/io/ending.hpp>

#include <fmt/format.h>

namespace bowhist {
namespace {

std::optional<DescriptorSidecar> sidecar_of(const Input &input) {
    if (ending_of(input.path) == ".npz") return load_descriptors(input).sidecar;
    return read_descriptor_sidecar(input.path);
}

std::string image_of(const Input &input) {
    if (input.collection) return input.collection->images[input.place].image;
    if (is_descriptor_file(input.path)) {
        try {
            if (const auto sidecar = sidecar_of(input)) return sidecar->image;
        } catch (const Error &) { // reading it as an input reports the reason
        }
    }
    return input.path.native();
}

} // namespace

FolderLabels folder_labels_of(const InputList &list, Observer &observer) {
    std::vector<std::string> images;
    for (const Input &input : list.inputs) images.push_back(image_of(input));
    FolderLabels labels(images);
    std::string text;
    for (std::size_t number = 0; number < labels.names().size(); ++number)
        text += fmt::format("{}{} {}", number == 0 ? "" : ", ", number,
                            printable(labels.names()[number]));
    observer.note("labels: " + text);
    return labels;
}

} // namespace bowhist
