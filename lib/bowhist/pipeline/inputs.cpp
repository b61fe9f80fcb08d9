#include <bowhist/pipeline/inputs.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/tables/descriptor_file.hpp>

#include <algorithm>
#include <cerrno>
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
