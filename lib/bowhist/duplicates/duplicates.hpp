#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/library/library.hpp>
#include <bowhist/search/geometry.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

/// How readily two images count as copies (docs/duplicates.md has the rates).
enum class Match { strict, normal, loose };

/// What the copies of a group are taken for better by, each where all before it are equal.
enum class Preference {
    whole,    ///< shows most of the picture: nothing laid over it, no border
    color,    ///< is no grey or toned version of one in color
    upright,  ///< not turned or mirrored against most others, or against one that Exif sets upright
    detail,   ///< the most pixels, as far as they show detail: none for enlarging an image
    metadata, ///< says the most of camera, time, place, exposure and profile
    oldest,   ///< by Exif, else by the file's time
    bytes,    ///< the most; before these, has sidecars, a raw file or a video beside it
    path,     ///< the shortest name, then the shortest path
    newest,   ///< as oldest
    pixels,   ///< the most
    format    ///< the first of Preferences::formats
};

struct Preferences {
    std::vector<Preference> order = {}; ///< empty: the usual one
    std::vector<std::string> formats =
        {}; ///< of known_formats(), the best first; the others follow
};

/// The names of formats, in their usual order.
std::span<const std::string_view> known_formats();
/// The name of the format that has an ending such as "jpg"; empty where it is not known.
std::string_view format_of(std::string_view ending);

struct DuplicatesRequest {
    std::filesystem::path library; ///< with words and their places, as index_library() makes it
    std::filesystem::path against = {}; ///< another library of the same models: only groups with
                                        ///< images of both, of which this one's are kept
    std::vector<std::string> keep =
        {}; ///< images below these folders, as in the library's paths, are kept, and the first
            ///< folder's are taken for better than the second's; empty: none but the best
    std::string within = {}; ///< only images below this folder; empty: all
    bool scene = false;      ///< also other photographs of the same thing
    Match match = Match::normal;
    std::size_t max_candidates = 20; ///< by words; above 0
    Preferences prefer = {};
    bool keep_checks = true; ///< in the library, where it can be written, for the next run
};

/// How a copy differs from the image that it is held against.
struct Kinds {
    bool bytes = false, pixels = false, resized = false, cropped = false, turned = false,
         mirrored = false, stretched = false, recolored = false, bordered = false, overlaid = false;
    bool scene = false; ///< no copy: another photograph of the same thing

    // why an image is in no group (ApartImage)
    bool frame = false;     ///< a still that equals a frame of an animation
    bool collage = false;   ///< shows other images beside each other
    bool ambiguous = false; ///< agrees with images that differ from each other
    bool unproven = false;  ///< too little was compared to see what may differ

    /// "cropped+turned"; "reencoded" where nothing else holds
    std::string text() const;
};

/// An image of a group.
struct Duplicate {
    LibraryImage image = {};
    bool kept = false;    ///< the best, or one that is never to be removed: it lies below a kept
                          ///< folder, or shows something that the best does not
    std::size_t with = 0; ///< the group's image that it is held against; itself for the best
    Kinds kinds = {};
    double score = 1;      ///< 0 … 1
    std::size_t agree = 0; ///< places; 0 where bytes or pixels are equal
    double overlap = 1;    ///< share of the smaller view that both show
    AffineMap map = {};    ///< from it to `with`, in pixels of the upright originals
    int compared = 0;      ///< pixels of the smaller side that were compared; 0: bytes
};

/// Whether a copy could go.
inline bool is_spare(const Duplicate &image) {
    return !image.kept && !image.kinds.scene;
}

/// The best image first, the others by their paths.
struct DuplicateGroup {
    bool scene = false; ///< holds other photographs of the same thing
    std::vector<Duplicate> images;
};

/// An image that shows what others show, but is in no group: never to be removed for their sake.
struct ApartImage {
    LibraryImage image = {};
    Kinds kinds = {};                    ///< frame, collage, ambiguous or unproven
    std::vector<LibraryImage> with = {}; ///< the images that it shows, by their paths
    double score = 0;                    ///< 0 … 1, the best of `with`
    int compared = 0;                    ///< pixels of the smaller side
};

struct Duplicates {
    std::vector<DuplicateGroup> groups; ///< of copies, then of scenes; by the path of their best
    std::size_t images = 0;             ///< that were looked at
    std::vector<ApartImage> apart = {}; ///< by their paths

    std::size_t copies() const;  ///< that are not kept; no scenes
    std::uint64_t bytes() const; ///< of these
};

/// Finds the copies in a library (docs/duplicates.md), as it is when it is opened. No image is
/// changed. The result owns all that it holds, and is the same for any number of threads.
///
///     index_library({.library = "photos.bow", .inputs = {.arguments = {"photos"}}}, observer);
///     const Duplicates found = find_duplicates({.library = "photos.bow"}, observer);
///     for (const DuplicateGroup &group : found.groups)
///         for (const Duplicate &image : group.images) use(image.image.path, is_spare(image));
///
/// Uses all threads. Any number of calls at once; another that writes the library meanwhile only
/// prevents that checks are kept.
/// @throws Error{Fault::usage} where the library lacks words or their places, or the reference has
///         other models; Error{Fault::input} where one of them cannot be read;
///         Error{Fault::interrupted} as the observer wants it. Images whose files are gone are
///         compared by what the library holds of them.
Duplicates find_duplicates(const DuplicatesRequest &request, Observer &observer);

} // namespace bowhist
