#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/library/library.hpp>
#include <bowhist/search/geometry.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

/// How readily two images count as copies (docs/duplicates.md has the rates).
enum class Match { strict, normal, loose };

/// The criteria of the best copy of a group. Each decides among copies that are equal by all
/// before it.
enum class Preference {
    whole,    ///< shows most of the picture; then has nothing laid over it; then has no border
    color,    ///< is no gray or toned version of a copy in color
    upright,  ///< is not turned or mirrored against most others, or against one upright by Exif
    detail,   ///< has the most pixels that show detail; enlarging an image adds none
    metadata, ///< has the most of camera, capture time, position, exposure, color profile, XMP
    oldest,   ///< by Exif's capture time unless that is a camera's default, else by the file's time
    bytes,    ///< has a sidecar, a raw file or a video beside it; then has the most bytes
    path,     ///< has the shortest name, then the shortest path
    newest,   ///< by the times of `oldest`
    pixels,   ///< has the most pixels
    format    ///< comes first in Preferences::formats
};

struct Preferences {
    /// Empty: from `whole` to `path`, as they are listed above. Copies then stay if `bytes` or
    /// `path` alone would decide.
    std::vector<Preference> order = {};
    /// Some of known_formats(), the best first; the others follow.
    std::vector<std::string> formats = {};
};

/// The names of formats, in their usual order.
std::span<const std::string_view> known_formats();
/// The name of the format that has an ending such as "jpg"; empty if it is unknown.
std::string_view format_of(std::string_view ending);

struct DuplicatesRequest {
    std::filesystem::path library; ///< with words and their places, as index_library() makes it
    std::filesystem::path against = {}; ///< another library of the same models: only groups with
                                        ///< images of both, of which this one's are kept
    /// Folders, as in the library's paths. Images below them are kept and come before all
    /// preferences, those of the first folder before those of the second.
    std::vector<std::string> keep = {};
    std::string within = {}; ///< only images below this folder; empty: all
    bool scene = false;      ///< also other photographs of the same thing
    Match match = Match::normal;
    std::size_t max_candidates = 20; ///< by words; above 0
    Preferences prefer = {};
    bool keep_checks = true; ///< in the library, where it can be written, for the next run
};

/// How an image differs from the one that it is compared with. Several may hold.
struct Kinds {
    bool bytes = false, pixels = false, resized = false, cropped = false, turned = false,
         mirrored = false, stretched = false, recolored = false, bordered = false, overlaid = false;
    bool scene = false; ///< no copy: another photograph of the same thing

    // why an image is in no group (ApartImage)
    bool frame = false;     ///< a still that equals a frame of an animation
    bool collage = false;   ///< shows another image beside other pictures
    bool ambiguous = false; ///< agrees with images that differ from each other
    bool unproven = false;  ///< may differ in what is too small for the pixels compared

    /// "cropped+turned"; "reencoded" if nothing else holds
    std::string text() const;
};

/// An image of a group.
struct Duplicate {
    LibraryImage image = {};
    bool kept = false;    ///< the best, or another one that must stay: it lies below a kept folder,
                          ///< or nothing proves that the best shows all of it
    std::size_t with = 0; ///< the place in the group of the image that it is compared with: the
                          ///< best, or one with its bytes, or in scenes a member; its own if best
    Kinds kinds = {};
    double score = 1;      ///< 0 … 1
    std::size_t agree = 0; ///< places that agree; 0 if bytes or pixels are equal
    double overlap = 1;    ///< share of the smaller view that both show
    AffineMap map = {};    ///< from it to `with`, in pixels of the upright originals
    int compared = 0;      ///< pixels of the smaller side that were compared; 0: bytes
};

/// Whether an image could go because another one that stays shows all of it (kept_for()): the one
/// predicate for scripts, lists and pages. They look at the disk, too: this is about what the
/// library holds.
inline bool is_spare(const Duplicate &image) {
    return !image.kept && !image.kinds.scene;
}

/// The best image first, the others by their paths.
struct DuplicateGroup {
    bool scene = false; ///< holds other photographs of the same thing
    std::vector<Duplicate> images;
};

/// The place in the group of the image that stays and shows all of a spare one: what `with` leads
/// to. An image that stays has its own. Empty where `with` leads to no image that stays; then
/// nothing proves that the spare one may go.
/// REQUIRES: all places `with` are in the group
std::optional<std::size_t> kept_for(const DuplicateGroup &group, std::size_t image);

/// An image that shows what others show, but is in no group. It must stay.
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
