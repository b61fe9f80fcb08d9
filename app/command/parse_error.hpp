#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace bowhist::app {

/// Says in our words what is wrong with the command line: which option, and what to do. CLI11's own
/// words are about its counts and types.
std::string in_our_words(const CLI::App &command, const CLI::ParseError &error);

} // namespace bowhist::app
