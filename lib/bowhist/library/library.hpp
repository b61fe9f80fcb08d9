#pragma once

#include <bowhist/core/codes.hpp>
#include <bowhist/core/histogram.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/library/places.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace bowhist {

/// Pixels of a library's thumbnails.
inline constexpr int library_thumbnail_side = 256;

struct LibraryModels;
class SegmentRows;

/// An image of a library.
struct LibraryImage {
    std::int64_t id = 0;      ///< stays when its file moves
    std::string path;         ///< bytes, as given: the least where it has several
    std::int64_t content = 0; ///< of its descriptions; copies share it
    int width = 0;            ///< pixels of the upright image
    int height = 0;
    std::string place = {}; ///< its file from the working directory, if its path is not that

    std::string hash = {};                    ///< of the content, 16 bytes
    FileStamp stamp = {};                     ///< of the file when it was read
    std::optional<std::int64_t> changed = {}; ///< and its ctime, nanoseconds since 1970
    std::optional<std::string> captured = {}; ///< by Exif: 2026-11-26T07:10:54, perhaps with the
                                              ///< offset from UTC behind it: +02:00
    // what is not known, in a library of an earlier version or without thumbnails, has no value
    std::optional<std::uint32_t> frames = {}; ///< or pages; 1 of a still
    std::optional<double> color = {};    ///< levels of chroma beyond a tone; about 0 of a grey or
                                         ///< sepia image (pictures/chroma_beyond_tone.hpp)
    std::optional<int> orientation = {}; ///< by Exif, 1 to 8; 0: it says nothing
    std::optional<std::uint32_t> metadata = {}; ///< bits: camera 1, capture time 2, position 4,
                                                ///< exposure or lens 8, profile 16, XMP 32

    std::size_t root_bytes = 0; ///< of file(): what leads to its root; 0 for one that was named

    const std::string &file() const { return place.empty() ? path : place; }
};

/// A model of a library, for people.
struct LibraryModel {
    std::string fingerprint;
    std::string recipe;   ///< "surf --threshold 10 ..."
    std::size_t size = 0; ///< words of a histogram, or numbers of a code
};

/// Groups of images that a library keeps, as `cluster` made them last.
struct LibraryGroups {
    std::int64_t resolution = 0;                  ///< millionths, of Leiden's modularity
    std::map<std::int32_t, std::string> names;    ///< of each group; empty where it has none
    std::map<std::int64_t, std::int32_t> members; ///< the group of each image, by its id; -1: it
                                                  ///< fits nowhere

    bool empty() const { return names.empty(); }
};

/// A library, read as it was when it was opened. Each row that is read is held against its
/// checksum. One thread at a time.
///
///     Library library("photos.bow");
///     library.for_each_image([&](const LibraryImage &image) {
///         const Histogram row = library.histogram(image);
///     });
///
/// @throws Error{Fault::input}, from every function: no library, one of another version, a damaged
///         row
class Library {
  public:
    explicit Library(const std::filesystem::path &path);
    ~Library();
    Library(const Library &) = delete;
    Library &operator=(const Library &) = delete;

    /// Calls `use` for each image that is there and described, in the order of path bytes.
    /// @param glob  of paths, as fnmatch(3) reads it: `*` matches slashes, too; empty: all
    void for_each_image(const std::function<void(const LibraryImage &)> &use,
                        const std::string &glob = {}) const;

    /// Whether an image is there and described.
    bool has_images() const;
    /// The image of a path that is there and described.
    std::optional<LibraryImage> find(const std::string &path) const;
    /// The same by its id.
    std::optional<LibraryImage> find(std::int64_t id) const;
    /// The images of a content, in the order of path bytes; nothing where none is there.
    std::vector<LibraryImage> images_of(std::int64_t content) const;
    /// The same of the content with this hash (LibraryImage::hash).
    std::vector<LibraryImage> images_of_hash(const std::string &hash) const;
    /// The index of search.
    SegmentRows &segments() const;

    /// The models of "words" and "code", as far as the library has them.
    std::map<std::string, LibraryModel> models() const;

    /// REQUIRES: the library has words
    Histogram histogram(const LibraryImage &image) const;

    struct Words {
        std::vector<std::uint32_t> words;         ///< one a keypoint, rising
        std::vector<Place> places;                ///< of each; empty in a library without positions
        std::vector<std::uint32_t> mirrored = {}; ///< of each one's mirrored descriptor; empty in a
                                                  ///< library without
    };
    /// REQUIRES: the library has words
    Words words(const LibraryImage &image) const;

    struct Code {
        std::uint32_t descriptors = 0;
        std::vector<std::int8_t> values;
    };
    /// REQUIRES: the library has codes
    Code code(const LibraryImage &image) const;

    /// Whether it holds where words lie.
    bool has_positions() const;

    /// The models that describe its images (models.hpp).
    LibraryModels describing_models() const;

    /// The groups that were kept last; empty if there are none.
    LibraryGroups groups() const;

    /// A JPEG; empty for a library without.
    std::string thumbnail(const LibraryImage &image) const;

  private:
    class Reader;
    std::unique_ptr<Reader> reader_;
};

/// Replaces the groups of a library at once.
/// @param wait_seconds  for another writer
/// @throws Error{Fault::output} where it cannot be written
void keep_groups(const std::filesystem::path &library, const LibraryGroups &groups,
                 double wait_seconds);

/// Whether this process may not write a library, or beside it.
bool is_read_only(const std::filesystem::path &library);

/// Whether a file is a library, of any version. SQLite is not loaded.
bool is_library(const std::filesystem::path &path);

/// A summary of a library.
struct LibraryStatus {
    struct Root {
        std::string path; ///< bytes; empty: files that were named
        std::uint64_t files = 0;
        std::string place; ///< the absolute folder that it meant
    };
    struct Group {
        std::int32_t number = 0; ///< -1: images that fit nowhere
        std::string name;
        std::uint64_t images = 0;
    };
    std::uint64_t images = 0;
    std::uint64_t files = 0; ///< paths of these
    std::uint64_t gone = 0;
    std::uint64_t skipped = 0;
    std::map<std::string, std::uint64_t> reasons; ///< why files are skipped
    std::vector<Root> roots;
    std::map<std::string, LibraryModel> models;
    std::vector<Group> groups;                  ///< by rising number
    std::map<std::string, std::uint64_t> bytes; ///< by table
    std::uint64_t file_bytes = 0;
    std::string holds;                ///< of each image: "words code positions thumbnails"
    std::int64_t run = 0;             ///< number of the run that wrote it last
    std::int64_t updated = 0;         ///< seconds since 1970; 0: no run came to its end
    std::vector<std::string> damages; ///< only those that were looked for; with any the other
                                      ///< members are empty
};

/// @param integrity  verifies the file's structure and the checksum of every row, and counts every
///                   byte: else those of words, codes and thumbnails in a file above 256 MB are
///                   estimated
/// @throws Error{Fault::input} where it cannot be opened
LibraryStatus status_of_library(const std::filesystem::path &path, bool integrity,
                                Observer &observer);

struct SkippedFile {
    std::string path; ///< bytes
    std::string reason;
};

/// The files that a library skips, by their paths. @param most  of them
/// @throws as status_of_library
std::vector<SkippedFile> skips_of_library(const std::filesystem::path &path, std::size_t most);

enum class ExportWhat { words, code };

/// Writes a row for each image of a library, in the order of path bytes.
struct ExportRequest {
    std::filesystem::path library;
    std::filesystem::path output; ///< its ending is the format; empty: CSV to standard output
    std::optional<ExportWhat> what = {}; ///< else words; of points (points.hpp) both
    std::string glob = {};               ///< of paths; empty: all
    Normalization normalization = Normalization::none;
};

/// @return the number of rows
/// @throws Error{Fault::usage} where the library lacks what is wanted; as Library, HistogramWriter
std::size_t export_library(const ExportRequest &request, Observer &observer);

} // namespace bowhist
