#pragma once

#include <bowhist/files/inputs.hpp>

#include <filesystem>

namespace bowhist::app {

/// What is written must be no file that is read, by whatever path: ./a.png, a link.
/// @throws Error{Fault::usage} naming both
void check_not_input(const std::filesystem::path &output, const std::filesystem::path &input);

/// The same for all of the inputs.
void check_not_input(const std::filesystem::path &output, const InputList &list);

} // namespace bowhist::app
