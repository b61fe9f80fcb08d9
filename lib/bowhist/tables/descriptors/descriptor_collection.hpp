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

/// Where a picture's descriptors lie among those of many.
struct CollectedPicture {
    std::string picture;     ///< path bytes
    std::uint64_t first = 0; ///< row
    std::uint64_t rows = 0;
    std::uint64_t fingerprint = 0; ///< XXH3-64 of their bytes
};

/// The descriptors of many pictures end to end in one `.fbin`; its sidecar tells whose they are.
struct DescriptorCollection {
    std::shared_ptr<const InputFile> file; ///< open: a file that takes its name is another one
    std::size_t dimensions = 0;
    Recipe recipe = {};
    std::vector<CollectedPicture> pictures = {};

    /// One picture's, read from the file now. Many threads may.
    /// @throws Error{Fault::input}: they are not those that the sidecar tells of, in words that are
    ///         the same for all pictures; NaN and infinity with the picture and their row
    SavedDescriptors read(const CollectedPicture &picture) const;

    /// What was read up to the end of a picture leaves the system's cache.
    void let_go_until(const CollectedPicture &picture) const;

    /// Rows from `first` on, of whichever pictures, as they lie there. None of them stays in the
    /// system's cache. Many threads may, each with a room of its own.
    /// @param room  takes them
    /// @throws Error{Fault::input}, also when the file was changed since it was opened
    std::span<const float> read_rows(std::uint64_t first, std::size_t rows, FileRoom &room) const;
    /// The same, into memory of the caller's. The system's cache copies them and lets them go.
    void read_rows(std::uint64_t first, std::span<float> into) const;
};

/// What there is in an `.fbin`, but no descriptors yet. Nothing for another ending, without a
/// sidecar, and where that tells of a single picture.
/// @throws Error{Fault::input} when file or sidecar cannot be read, or do not fit together
std::optional<DescriptorCollection> read_collection(const std::filesystem::path &path);

/// Writes a collection as its pictures come. File and sidecar appear whole or not at all.
class CollectionWriter {
  public:
    /// @throws Error{Fault::output}
    explicit CollectionWriter(const std::filesystem::path &path);

    /// Descriptors of as many dimensions as those before; a picture without any may have others.
    /// @throws Error{Fault::output}, when there are more than the format holds, too
    void write(const Descriptors &descriptors, const DescriptorSidecar &told);

    void finish();

  private:
    void tell(std::string_view json);

    AtomicFile file_;
    AtomicFile sidecar_;
    std::uint64_t rows_ = 0;
    std::uint64_t told_bytes_ = 0; ///< of the sidecar
    std::size_t dimensions_ = 0;
    /// Of all that were written; Recipe::imported() where they differ.
    std::optional<Recipe> recipe_;
};

} // namespace bowhist
