#include "app/output_check.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/tables/descriptor_file.hpp>
#include <bowhist/tables/sidecar.hpp>

#include <fmt/format.h>
#include <sys/stat.h>

namespace bowhist::app {

namespace fs = std::filesystem;

InputFiles::InputFiles(const fs::path &input) {
    add(input);
    add(sidecar_path(input));
}

InputFiles::InputFiles(const InputList &list) {
    for (const Input &input : list.inputs) {
        add(input.path);
        if (is_descriptor_file(input.path)) add(sidecar_path(input.path));
    }
}

void InputFiles::add(const fs::path &input) {
    struct stat file {};
    if (::stat(input.c_str(), &file) == 0) files_.try_emplace({file.st_dev, file.st_ino}, input);
}

void InputFiles::check_output(const fs::path &output) const {
    struct stat file {};
    if (files_.empty() || ::stat(output.c_str(), &file) != 0) return;
    const auto found = files_.find({file.st_dev, file.st_ino});
    if (found == files_.end()) return;
    throw Error(Fault::usage, fmt::format("{} would replace {}, which is an input; choose another "
                                          "-o",
                                          printable(output), printable(found->second)));
}

void check_not_input(const fs::path &output, const InputList &list) {
    std::error_code missing;
    if (fs::exists(output, missing)) InputFiles(list).check_output(output);
}

void check_not_input(const fs::path &output, const fs::path &input) {
    InputFiles(input).check_output(output);
}

} // namespace bowhist::app
