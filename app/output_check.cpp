#include "app/output_check.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>

#include <fmt/format.h>

namespace bowhist::app {

namespace fs = std::filesystem;

void check_not_input(const fs::path &output, const fs::path &input) {
    std::error_code missing; // then it is not the same
    if (!fs::equivalent(output, input, missing)) return;
    throw Error(Fault::usage, fmt::format("{} would replace {}, which is an input; choose another "
                                          "-o",
                                          printable(output), printable(input)));
}

void check_not_input(const fs::path &output, const InputList &list) {
    std::error_code missing; // and most often it is: then nothing need be looked at
    if (!fs::exists(output, missing)) return;
    for (const Input &input : list.inputs) check_not_input(output, input.path);
}

} // namespace bowhist::app
