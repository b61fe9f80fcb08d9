#include <bowhist/inputs/inputs.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/inputs/folder_search.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/io/input_file.hpp>
#include <bowhist/io/near_names.hpp>
#include <bowhist/io/utf8_text.hpp>
#include <bowhist/tables/descriptors/descriptor_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

namespace bowhist {
namespace {

namespace fs = std::filesystem;

/// Adds files and folders to a list, and searches the folders.
class InputAdder {
  public:
    InputAdder(const InputSource &source, Observer &observer, InputList &list)
        : folders_(source, observer), list_(list) {}

    void add(const fs::path &path) {
        std::error_code error; // what is missing is kept, and fails later with its own line
        if (!fs::is_directory(path, error)) {
            list_.inputs.push_back({path, path});
            return;
        }
        auto found = folders_.search(path);
        std::ranges::move(found.inputs, std::back_inserter(list_.inputs));
        list_.skipped += found.skipped;
        for (const auto &[kind, files] : found.ignored) list_.ignored[kind] += files;
    }

    void finish() { list_.ignored_folders = folders_.ignored_folders(); }

  private:
    FolderSearch folders_;
    InputList &list_;
};

std::string read_all(std::istream &stream, const std::string &name, const Observer &observer) {
    std::string text;
    std::string piece(std::size_t{1} << 16U, '\0');
    while (stream.good()) {
        observer.stop_if_interrupted();
        stream.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        text.append(piece, 0, static_cast<std::size_t>(stream.gcount()));
    }
    if (stream.bad())
        throw Error(Fault::usage, name + ": this list cannot be read to its end; "
                                         "name a file that holds paths");
    return text;
}

/// The paths of --files-from.
PathList read_list(const InputSource &source, const Observer &observer, const std::string &name) {
    if (source.list == "-") require_standard_input(Fault::usage);
    if (source.list == "-")
        return {read_all(std::cin, name, observer), source.null_separated, name};
    std::ifstream file(source.list, std::ios::binary);
    if (!file) {
        const auto reason = std::generic_category().message(errno);
        throw Error(Fault::usage, name + ": this list cannot be opened: " + reason +
                                      did_you_mean_on_disk(source.list));
    }
    return {read_all(file, name, observer), source.null_separated, name};
}

/// Makes each image of a collection an input of its own.
void open_collections(InputList &list, Observer &observer) {
    std::vector<Input> inputs;
    std::swap(inputs, list.inputs);
    for (Input &input : inputs) {
        try {
            auto collection = read_collection(input.path);
            if (!collection) {
                list.inputs.push_back(std::move(input));
                continue;
            }
            input.collection = std::make_shared<DescriptorCollection>(*std::move(collection));
        } catch (const Error &error) {
            ++list.skipped;
            observer.skipped(error.what());
            continue;
        }
        if (input.collection->images.empty()) list.may_be_empty = true;
        input.below.clear();
        for (; input.place < input.collection->images.size(); ++input.place)
            list.inputs.push_back(input);
    }
}

void keep_each_once(InputList &list) {
    std::set<std::string> paths;
    std::erase_if(list.inputs, [&paths](const Input &input) {
        return !paths.insert(input.path.lexically_normal().native()).second;
    });
}

/// Folders without anything to read are a mistake, or a disk that is not mounted: they must not
/// cost an earlier output.
void require_inputs(const InputList &list, const InputSource &source) {
    if (!list.inputs.empty() || list.may_be_empty) return;
    require_read(0, list.skipped);
    const char *what = source.descriptors_only ? "descriptor file" : "picture";
    const std::string most = most_ignored(list.ignored, list.ignored_folders);
    if (most.empty())
        throw Error(Fault::input, fmt::format("there is no {} in what was named, so nothing is "
                                              "written; name files, or folders that hold some",
                                              what));
    throw Error(Fault::input,
                fmt::format("there is no {} among the files of these folders (most are {}); name "
                            "files or folders themselves to see why each is left out",
                            what, most));
}

} // namespace

std::size_t for_each_path(const InputSource &source, Observer &observer,
                          const std::function<void(const fs::path &)> &use) {
    for (const auto &argument : source.arguments) use(argument);
    if (source.list.empty()) return 0;
    const std::string name = source.list == "-" ? "standard input" : printable(source.list);
    std::size_t skipped = 0;
    PathList paths = read_list(source, observer, name);
    while (const auto listed = paths.next()) {
        if (listed->fault.empty()) {
            use(listed->path);
            continue;
        }
        ++skipped;
        observer.skipped(fmt::format("{}: in {}: {}", excerpt(listed->path), name, listed->fault));
    }
    return skipped;
}

InputList list_inputs(const InputSource &source, Observer &observer) {
    InputList list;
    InputAdder adder(source, observer, list);
    list.may_be_empty = true;
    list.skipped += for_each_path(source, observer, [&](const fs::path &path) {
        list.may_be_empty = false;
        adder.add(path);
    });
    list.may_be_empty = list.may_be_empty && list.skipped == 0;
    adder.finish();
    if (source.each_once) keep_each_once(list);
    open_collections(list, observer);
    return list;
}

InputList list_given_inputs(const InputSource &source, bool strict, Observer &observer) {
    if (source.arguments.empty() && source.list.empty())
        throw Error(Fault::usage,
                    "there is no INPUT; name pictures, folders or descriptor files, or a "
                    "list of them with --files-from");
    InputList list = list_inputs(source, observer);
    if (strict && list.skipped > 0)
        throw Error(Fault::input, "an input could not be listed, and --strict allows no gaps");
    require_inputs(list, source);
    if (source.listed) source.listed(list);
    return list;
}

void SkippedInputs::report(const Input &input, const Error &error) {
    if (input.collection && last_ == error.what()) return;
    last_ = error.what();
    observer_.skipped(last_);
}

SavedDescriptors load_descriptors(const Input &input) {
    if (!input.collection) return load_descriptors(input.path);
    return input.collection->read(input.collection->images[input.place]);
}

bool any_image(const InputList &list) {
    return std::ranges::any_of(list.inputs,
                               [](const Input &input) { return !is_descriptor_file(input.path); });
}

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

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool has(std::string_view text, char letter) {
    return text.find(letter) != std::string_view::npos;
}

/// Whether something has this name, a link that leads nowhere, too.
bool exists(std::string_view path) {
    if (has(path, '\0')) return false; // it would end there
    std::error_code error;
    return std::filesystem::exists(std::filesystem::symlink_status(path, error));
}

/// Single letters between NUL bytes may be names. They are text in UTF-16 where there is a byte
/// order mark, or what makes paths and lines is behind one of them.
bool is_surely_text(std::string_view utf8) {
    const auto continues = [](char before, char letter) {
        return static_cast<unsigned char>(before - 1) < 0x7f && has("\n\r./\\", letter);
    };
    return utf8.starts_with(byte_order_mark) ||
           std::ranges::adjacent_find(utf8, continues) != utf8.end();
}

} // namespace

PathList::PathList(std::string text, bool null_separated, const std::string &name)
    : text_(std::move(text)), separator_(null_separated ? '\0' : '\n') {
    auto utf8 = wide_as_utf8(text_);
    if (utf8 && null_separated && is_surely_text(*utf8))
        throw Error(Fault::usage, name + ": this list is text in UTF-16, not separated by NUL "
                                         "bytes; leave -0 out");
    if (null_separated) return;
    if (utf8) {
        text_ = *std::move(utf8);
        fault_of_nul_ = "its UTF-16 is damaged here; save the list as UTF-8";
    }
    if (!has(text_, '\n') && has(text_, '\r') && !exists(text_)) separator_ = '\r';
}

std::optional<ListedPath> PathList::next() {
    while (at_ < text_.size()) {
        const std::size_t end = std::min(text_.find(separator_, at_), text_.size());
        const std::string given = text_.substr(at_, end - at_);
        at_ = end + 1;
        ListedPath path = as_meant(given);
        if (!path.path.empty()) return path;
    }
    return std::nullopt;
}

ListedPath PathList::as_meant(const std::string &given) const {
    if (has(given, '\0')) return {given, fault_of_nul_};
    if (!is_text() && given.size() == text_.size() && has(given, '\n') && !exists(given))
        return {given, "this list holds no NUL byte; leave -0 out"};
    std::string_view bare = given;
    if (bare.starts_with(byte_order_mark)) bare.remove_prefix(byte_order_mark.size());
    if (is_text() && bare.ends_with('\r')) bare.remove_suffix(1);
    if (bare.size() >= PATH_MAX) return {given, "it is longer than a path can be"};
    if (bare.size() == given.size() || !exists(given)) return {std::string(bare)};
    if (is_text() && exists(bare))
        return {given, "files exist with and without the CR or byte order mark of this name; list "
                       "the one that is meant with -0"};
    return {given};
}

void require_read(std::size_t read, std::size_t left_out) {
    if (read > 0 || left_out == 0) return;
    throw Error(Fault::input, "none of the inputs could be used, so nothing is written; the lines "
                              "above say why");
}

std::string most_ignored(const std::map<std::string, std::size_t> &files,
                         const std::map<std::string, std::size_t> &folders) {
    const auto &ignored = files.empty() ? folders : files;
    const auto most = std::ranges::max_element(
        ignored, {}, [](const auto &name_and_count) { return name_and_count.second; });
    return most == ignored.end() ? "" : most->first;
}

} // namespace bowhist
