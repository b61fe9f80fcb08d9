#include <bowhist/files/inputs.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/files/descriptor_file.hpp>
#include <bowhist/files/picture.hpp>
#include <bowhist/files/sidecar.hpp>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iostream>
#include <iterator>
#include <system_error>

namespace bowhist {
namespace {

namespace fs = std::filesystem;

/// Belongs to a descriptor file and is read with it.
bool is_sidecar(const fs::path &path) {
    return path.extension() == ".json" && is_descriptor_file(path.stem());
}

bool is_extracted(const fs::path &path) {
    std::error_code error; // what cannot be looked at has no sidecar
    return is_descriptor_file(path) && fs::exists(sidecar_path(path), error);
}

/// Walks one folder at a time, from a list of those still to do: no depth can exhaust the stack,
/// and links to folders are not followed: no loop can hold it.
class FolderSearch {
  public:
    FolderSearch(const fs::path &root, bool descriptors_only, Observer &observer)
        : observer_(observer), descriptors_only_(descriptors_only), to_do_{{root, {}}} {}

    InputList run() && {
        while (!to_do_.empty()) {
            observer_.stop_if_interrupted();
            const Input folder = std::move(to_do_.back());
            to_do_.pop_back();
            search(folder);
        }
        // extracted beside their pictures, they would count each picture twice
        if (found_.inputs.empty()) std::swap(found_.inputs, extracted_);
        for (const Input &input : extracted_) pass_over(input.path);
        std::ranges::sort(found_.inputs, {}, [](const Input &input) -> const std::string & {
            return input.path.native();
        });
        return std::move(found_);
    }

  private:
    void search(const Input &folder) {
        std::error_code error;
        fs::directory_iterator entry(folder.path, error);
        while (!error && entry != fs::directory_iterator()) {
            take(*entry, folder.below / entry->path().filename());
            entry.increment(error);
        }
        if (error) skip(folder.path, error);
    }

    void take(const fs::directory_entry &entry, fs::path below) {
        std::error_code error; // a link that leads nowhere fails later, with its own line
        if (entry.is_directory(error)) {
            if (!entry.is_symlink(error)) to_do_.push_back({entry.path(), std::move(below)});
        } else if (descriptors_only_ ? is_descriptor_file(entry.path())
                                     : has_picture_ending(entry.path())) {
            found_.inputs.push_back({entry.path(), std::move(below)});
        } else if (found_.inputs.empty() && is_extracted(entry.path())) {
            extracted_.push_back({entry.path(), std::move(below)});
        } else if (!is_sidecar(entry.path())) {
            pass_over(entry.path());
        }
    }

    void pass_over(const fs::path &file) {
        ++found_.passed_over;
        observer_.note("passed over " + printable(file));
    }

    void skip(const fs::path &folder, const std::error_code &error) {
        ++found_.skipped;
        observer_.skipped(printable(folder) + ": this folder cannot be listed: " + error.message());
    }

    Observer &observer_;
    bool descriptors_only_;
    std::vector<Input> to_do_;     ///< folders
    std::vector<Input> extracted_; ///< descriptor files, in case there is no picture
    InputList found_;
};

void add(const fs::path &path, const InputSource &source, Observer &observer, InputList &list) {
    std::error_code error; // what is missing is kept, and fails later with its own line
    if (!fs::is_directory(path, error)) {
        list.inputs.push_back({path, path});
        return;
    }
    auto found = FolderSearch(path, source.descriptors_only, observer).run();
    if (found.inputs.empty() && found.skipped == 0) {
        observer.warning(printable(path) + ": no " +
                         (source.descriptors_only ? "descriptor file" : "picture") +
                         " in this folder");
    }
    std::ranges::move(found.inputs, std::back_inserter(list.inputs));
    list.skipped += found.skipped;
    list.passed_over += found.passed_over;
}

void add_list(std::istream &lines, const std::string &name, const InputSource &source,
              Observer &observer, InputList &list) {
    std::string line;
    while (std::getline(lines, line, source.null_separated ? '\0' : '\n')) {
        if (!line.empty()) add(line, source, observer, list);
    }
    if (lines.bad()) throw Error(Fault::usage, name + ": this list cannot be read to its end");
}

} // namespace

InputList list_inputs(const InputSource &source, Observer &observer) {
    InputList list;
    for (const auto &argument : source.arguments) add(argument, source, observer, list);
    if (source.list == "-") {
        add_list(std::cin, "standard input", source, observer, list);
    } else if (!source.list.empty()) {
        const std::string name = printable(source.list);
        std::ifstream lines(source.list, std::ios::binary);
        if (!lines) {
            const auto reason = std::generic_category().message(errno);
            throw Error(Fault::usage, name + ": this list cannot be opened: " + reason);
        }
        add_list(lines, name, source, observer, list);
    }
    return list;
}

bool any_picture(const InputList &list) {
    return std::ranges::any_of(list.inputs,
                               [](const Input &input) { return !is_descriptor_file(input.path); });
}

} // namespace bowhist
