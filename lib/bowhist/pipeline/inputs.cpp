#include <bowhist/pipeline/inputs.hpp>

#include <bowhist/core/printable.hpp>
#include <bowhist/tables/descriptor_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <fstream>
#include <iostream>
#include <iterator>
#include <system_error>

namespace bowhist {
namespace {

namespace fs = std::filesystem;

void add(const fs::path &path, const InputSource &source, Observer &observer, InputList &list) {
    std::error_code error; // what is missing is kept, and fails later with its own line
    if (!fs::is_directory(path, error)) {
        list.inputs.push_back({path, path});
        return;
    }
    auto found = search_folder(path, source.descriptors_only, observer);
    if (found.inputs.empty() && found.skipped == 0) {
        observer.warning(printable(path) + ": no " +
                         (source.descriptors_only ? "descriptor file" : "picture") +
                         " in this folder");
    }
    std::ranges::move(found.inputs, std::back_inserter(list.inputs));
    list.skipped += found.skipped;
    for (const auto &[kind, files] : found.passed_over) list.passed_over[kind] += files;
}

/// Why no file can have such a name; empty where one can.
std::string_view fault_of(std::string_view name) {
    if (name.find('\0') != std::string_view::npos)
        return "no file's name holds a NUL byte; a NUL-separated list needs -0";
    return name.size() < PATH_MAX ? "" : "it is longer than a path can be";
}

void add_list(std::istream &lines, const std::string &name, const InputSource &source,
              Observer &observer, InputList &list) {
    std::string line;
    while (std::getline(lines, line, source.null_separated ? '\0' : '\n')) {
        if (const auto fault = fault_of(line); !fault.empty()) {
            ++list.skipped;
            observer.skipped(fmt::format("{}: in {}: {}", excerpt(line), name, fault));
        } else if (!line.empty()) {
            add(line, source, observer, list);
        }
    }
    if (lines.bad())
        throw Error(Fault::usage, name + ": this list cannot be read to its end; "
                                         "name a file that holds paths");
}

/// Makes each picture of a collection an input of its own.
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
        input.below.clear();
        for (; input.place < input.collection->pictures.size(); ++input.place)
            list.inputs.push_back(input);
    }
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
    open_collections(list, observer);
    return list;
}

void SkippedInputs::tell(const Input &input, const Error &error) {
    if (input.collection && told_ == error.what()) return;
    told_ = error.what();
    observer_.skipped(told_);
}

SavedDescriptors load_descriptors(const Input &input) {
    if (!input.collection) return load_descriptors(input.path);
    return input.collection->read(input.collection->pictures[input.place]);
}

bool any_picture(const InputList &list) {
    return std::ranges::any_of(list.inputs,
                               [](const Input &input) { return !is_descriptor_file(input.path); });
}

} // namespace bowhist
