#pragma once

#include <bowhist/core/error.hpp>
#include <bowhist/core/folder_labels.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/tables/descriptors/descriptor_collection.hpp>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

/// An image, or an image's descriptors in a file.
struct Input {
    std::filesystem::path path;  ///< its bytes as given
    std::filesystem::path below; ///< the path below the folder it was found in; the path itself for
                                 ///< a file named explicitly
    std::shared_ptr<const DescriptorCollection> collection =
        {};                ///< the file, if it is a collection
    std::size_t place = 0; ///< of the image in the collection, which holds its path; no `below`
};

struct InputList {
    std::vector<Input> inputs;
    std::size_t skipped = 0; ///< folders, collections and lines of a list that cannot be used
    /// Files in folders that are ignored, counted by kind: ".cr2", "._*" (what macOS keeps beside a
    /// file), "hidden", "excluded", "trashed", "no ending", "others".
    std::map<std::string, std::size_t> ignored = {};
    /// Folders below a named one that are ignored, counted by name. Their content is not counted.
    std::map<std::string, std::size_t> ignored_folders = {};
    bool may_be_empty = false; ///< what was named is a list without a line, or a collection without
                               ///< a picture: no input is no fault
};

/// The source of inputs, as on the command line.
struct InputSource {
    std::vector<std::string> arguments = {}; ///< files and folders, in order
    std::filesystem::path list = {}; ///< --files-from: one path a line; "-" is standard input
    bool null_separated = false;     ///< -0: the list is NUL-separated
    bool descriptors_only = false;   ///< of folders, take every descriptor file and no image
    std::vector<std::string> excluded = {}; ///< --exclude: globs of what is ignored in folders
    bool hidden = false;                    ///< --hidden: take what begins with a dot in folders
    bool each_once = false; ///< of inputs with one path ("a.jpg" and "./a.jpg") take the first only
    /// Called by list_given_inputs() with the list, before any input is opened; what it throws ends
    /// the work.
    std::function<void(const InputList &)> listed = {};
};

/// Expands folders, lists and collections, in order: arguments first, then the list.
///
/// A folder is searched through, links to folders included, each folder once in all: one that is
/// named twice, or lies in one that was searched before, adds only what is new. Its images have the
/// path by which it was first found. A link that leads back to a folder that it lies in is not
/// followed; a warning names one of them. The files of each named folder are sorted by the bytes of
/// their paths; those with an image's ending are taken. If the whole search finds no image,
/// descriptor files that have an extract sidecar are taken instead: beside images they were made
/// from these, and would count them twice. With `descriptors_only` every file with a descriptor
/// file's ending is taken.
///
/// These are ignored below a named folder: folders of thumbnails, deleted files and old versions
/// (is_clutter()); files and folders whose names begin with a dot, unless `hidden`; what `excluded`
/// matches. They and all else that is not taken are counted and noted, sidecars apart.
///
/// A path that is named is always taken, a file as often as it is named, unless `each_once`
/// (whether it can be read shows later). A folder or collection that cannot be listed is reported
/// to the observer as skipped, and counted; a folder without any of these is a warning. Lists are
/// as in PathList.
/// @throws Error{Fault::usage} when the list cannot be read; Fault::interrupted
InputList list_inputs(const InputSource &source, Observer &observer);

/// Calls `use` with each path that is named, arguments first, then those of the list. Lines of the
/// list that hold no path are reported to the observer as skipped. @return their number
/// @throws as list_inputs
std::size_t for_each_path(const InputSource &source, Observer &observer,
                          const std::function<void(const std::filesystem::path &)> &use);

/// list_inputs() of at least one argument or list. @throws Error{Fault::usage} without any, and
/// Error{Fault::input} when `strict` and a folder or a collection could not be listed, or where
/// nothing is found in what was named; an empty list is no fault
InputList list_given_inputs(const InputSource &source, bool strict, Observer &observer);

/// Reports skipped inputs. An error of a whole collection is reported once, not for each of its
/// images.
class SkippedInputs {
  public:
    explicit SkippedInputs(Observer &observer) : observer_(observer) {}
    void report(const Input &input, const Error &error);

  private:
    Observer &observer_;
    std::string last_; ///< error reported
};

/// The descriptors of an input that is not an image. @throws Error{Fault::input}
SavedDescriptors load_descriptors(const Input &input);

/// Whether any input is an image; the others are descriptor files.
bool any_image(const InputList &list);

/// The folders of the images that the inputs stand for, with a note that lists them. The images of
/// descriptor files are those that their sidecars name.
FolderLabels folder_labels_of(const InputList &list, Observer &observer);

/// A path in a list.
struct ListedPath {
    std::string path;
    std::string_view fault = {}; ///< why it stands for no file; empty where it may
};

/// The paths of a list, as --files-from names one.
///
/// A path is bytes, and ends with a line break, or with NUL if the list is NUL-separated. Empty
/// ones are left out. Lists of Windows and old Macs are read, too: UTF-16 and UTF-32 become UTF-8;
/// a byte order mark in front of a path and the CR of a CRLF are no part of it; a list without any
/// LF is separated by CR. A file whose name really has such bytes is taken where it exists and no
/// file has the name without them; where both exist, the path is a fault.
class PathList {
  public:
    /// @param text the whole list
    /// @throws Error{Fault::usage} if it is to be NUL-separated and is UTF-16 or UTF-32
    /// @param name of the list, for that error
    PathList(std::string text, bool null_separated, const std::string &name);

    /// The next path; nothing at the end.
    std::optional<ListedPath> next();

  private:
    ListedPath as_meant(const std::string &given) const;
    bool is_text() const { return separator_ != '\0'; }

    std::string text_;
    std::string_view fault_of_nul_ = "no file's name holds a NUL byte; a list that is separated by "
                                     "NUL needs -0, any other is best saved as UTF-8";
    char separator_;
    std::size_t at_ = 0;
};

/// The most frequent kind of ignored files, such as ".cr2", or else name of ignored folders; empty
/// if nothing was ignored.
std::string most_ignored(const std::map<std::string, std::size_t> &files,
                         const std::map<std::string, std::size_t> &folders);

/// Belongs before an output replaces an earlier one. @throws Error{Fault::input} where inputs were
/// skipped or ignored, and none was read
void require_read(std::size_t read, std::size_t left_out);

} // namespace bowhist
