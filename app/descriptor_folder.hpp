#pragma once

#include <bowhist/inputs/inputs.hpp>
#include <bowhist/pipeline/descriptor_stream.hpp>
#include <bowhist/team/shard.hpp>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <vector>

namespace bowhist::app {

/// Makes the folder that a file is to lie in.
/// @throws Error{Fault::output}; UnusableName: the file system cannot hold such a name
void make_folder_of(const std::filesystem::path &file);

/// Refuses a file of descriptors, or its sidecar, that cannot be written, before an image is read.
/// A pipe or a device is not opened twice. @throws Error{Fault::output}
void require_writable(const std::filesystem::path &file);

/// The folder that `extract` fills: for each input a file, with its sidecar.
class DescriptorFolder {
  public:
    /// Decides where each input's file goes: what is written of `range` depends on all.
    DescriptorFolder(std::filesystem::path folder, const InputList &list, const ShardRange &range);

    /// Takes the images out of `list`, which holds the range alone, whose files are what extracting
    /// them again would give: image, recipe and version are as the sidecar says, and so are the
    /// descriptors. Reads no image, but the descriptors, on all threads. @throws
    /// Error{Fault::interrupted}
    void keep_current(InputList &list, const Recipe &recipe, const Observer &observer);

    /// Counts and notes these images as if they had just been extracted.
    void count_kept(std::size_t few, StreamCounts &counts, Observer &observer) const;

    /// All that will be written.
    std::vector<std::filesystem::path> outputs() const;

    /// @param described  of the list's inputs, those that are left
    void write(const Described &described, const Recipe &recipe) const;

  private:
    struct Place {
        std::filesystem::path file;
        std::optional<DescriptorOrigin> origin = {}; ///< of an image, before it is read
    };
    struct Kept {
        std::string image;
        std::size_t descriptors;
    };
    std::filesystem::path folder_;
    std::vector<Place> places_; ///< in the order of the inputs that are left
    std::vector<Kept> kept_ = {};
};

} // namespace bowhist::app
