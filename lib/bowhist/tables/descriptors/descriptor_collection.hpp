#pragma once

#include <bowhist/io/atomic_file.hpp>
#include <bowhist/tables/descriptors/descriptor_file.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

class FileRoom;
class InputFile;

/// The place of an image's descriptors among those of many.
struct CollectedImage {
    std::string image;       ///< path bytes
    std::uint64_t first = 0; ///< row
    std::uint64_t rows = 0;
    std::uint64_t fingerprint = 0; ///< XXH3-64 of their bytes
};

/// The descriptors of many images end to end in one `.fbin`; its sidecar records the images.
struct DescriptorCollection {
    std::shared_ptr<const InputFile> file; ///< stays open while another file may take its name
    std::size_t dimensions = 0;
    Recipe recipe = {};
    std::vector<CollectedImage> images = {};

    /// Reads the descriptors of one image. Many threads may.
    /// @throws Error{Fault::input} with the image and the row of NaN or infinity; with the file
    ///         alone where the descriptors differ from those that the sidecar records
    SavedDescriptors read(const CollectedImage &image) const;

    /// Drops the file up to the end of an image from the system's cache.
    void let_go_until(const CollectedImage &image) const;

    /// Reads rows from `first` on, of any images, past the system's cache. Many threads may, each
    /// with a room of its own.
    /// @return the rows, in `room`, until it is used again
    /// @throws Error{Fault::input}, also when the file was changed since it was opened
    std::span<const float> read_rows(std::uint64_t first, std::size_t rows, FileRoom &room) const;
    /// Reads them into the caller's memory, by way of the system's cache, which drops them then.
    void read_rows(std::uint64_t first, std::span<float> into) const;
};

/// Opens an `.fbin` and reads its sidecar, but no descriptors. Empty for another ending, without a
/// sidecar, and where the sidecar records a single image.
/// @throws Error{Fault::input} when file or sidecar cannot be read, or do not fit together
std::optional<DescriptorCollection> read_collection(const std::filesystem::path &path);

/// Writes a collection image by image. File and sidecar appear whole or not at all.
///
/// Protocol: write*, then finish.
class CollectionWriter {
  public:
    /// @throws Error{Fault::output}
    explicit CollectionWriter(const std::filesystem::path &path);

    /// REQUIRES: the same dimensions for all images that have descriptors.
    /// @throws Error{Fault::output}, also when there are more than the format holds
    void write(const Descriptors &descriptors, const DescriptorSidecar &image);

    void finish();
    /// finish(), unless no image was written and a file is there, which stays.
    /// @return whether it finished
    bool finish_unless_empty();

  private:
    void record(std::string_view json);

    AtomicFile file_;
    AtomicFile sidecar_;
    std::uint64_t rows_ = 0;
    std::uint64_t sidecar_bytes_ = 0;
    std::size_t dimensions_ = 0;
    /// The recipe of all images so far; Recipe::imported() if they differ.
    std::optional<Recipe> recipe_;
};

} // namespace bowhist
