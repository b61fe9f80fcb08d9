#pragma once

#include <bowhist/core/error.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/tables/descriptor_collection.hpp>

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace bowhist {

/// One thing to make a histogram of: a picture, or a picture's descriptors in a file.
struct Input {
    std::filesystem::path path;  ///< its bytes as given
    std::filesystem::path below; ///< the path below the folder it was found in; the path itself for
                                 ///< a file named explicitly
    std::shared_ptr<const DescriptorCollection> collection = {}; ///< that the file is, if it is one
    std::size_t place = 0; ///< of the picture in the collection, which tells the path; no `below`
};

/// Where inputs come from, as on the command line.
struct InputSource {
    std::vector<std::string> arguments = {}; ///< files and folders, in order
    std::filesystem::path list = {}; ///< --files-from: one path a line; "-" is standard input
    bool null_separated = false;     ///< -0: the list is NUL-separated
    bool descriptors_only = false;   ///< of folders, take every descriptor file and no picture
};

struct InputList {
    std::vector<Input> inputs;
    std::size_t skipped = 0; ///< folders and collections that could not be listed
    /// Files in folders that are none of what is taken there, counted by kind: ".cr2", "._*" (what
    /// macOS keeps beside a file), "no ending", "others".
    std::map<std::string, std::size_t> passed_over;
};

/// Expands folders, lists and collections, in order: arguments first, then the list.
///
/// A folder is searched through, links to folders included, each folder once. A link that leads
/// back to a folder that it lies in is not followed; a warning tells of them. Files are sorted by
/// the bytes of their paths; taken are those with a picture's ending. Where the whole search finds
/// no picture, descriptor files that have an extract sidecar are taken instead: beside pictures
/// they were made from these, and would count them twice. With `descriptors_only` every file with a
/// descriptor file's ending is taken. What is not taken is counted and noted, sidecars apart. A
/// file named explicitly is always taken (whether it can be read shows later). A folder or
/// collection that cannot be listed is told to the observer as skipped, and counted; a folder
/// without any of these is a warning. Lists are as in PathList.
/// @throws Error{Fault::usage} when the list cannot be read; Fault::interrupted
InputList list_inputs(const InputSource &source, Observer &observer);

/// What list_inputs() takes of one folder.
InputList search_folder(const std::filesystem::path &root, bool descriptors_only,
                        Observer &observer);

/// Tells of inputs that were skipped; what is wrong with a whole collection once, not for each of
/// its pictures.
class SkippedInputs {
  public:
    explicit SkippedInputs(Observer &observer) : observer_(observer) {}
    void tell(const Input &input, const Error &error);

  private:
    Observer &observer_;
    std::string told_; ///< last
};

/// The descriptors of an input that is no picture. @throws Error{Fault::input}
SavedDescriptors load_descriptors(const Input &input);

/// Whether any of them is to be read as a picture; the others are descriptor files.
bool any_picture(const InputList &list);

} // namespace bowhist
