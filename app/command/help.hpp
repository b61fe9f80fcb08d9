#pragma once

#include <CLI/CLI.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <string>

namespace bowhist::app {

constexpr std::size_t terminal_width = 80;

/// Cut between words into lines of at most `width` bytes.
std::string wrapped(const std::string &text, std::size_t width = terminal_width);

/// The headings of --help. Options that verbs share stand under one of these; a verb's own options
/// stand above them.
namespace heading {
inline constexpr const char *own = "Options";
inline constexpr const char *input = "Input";
inline constexpr const char *images = "Pictures";
inline constexpr const char *extractor = "Extractor";
inline constexpr const char *device = "Device and threads";
inline constexpr const char *output = "Output and messages";
/// As they are printed.
inline constexpr std::array order = {own, input, images, extractor, device, output};
} // namespace heading

/// While it lives, options that are added stand under that heading.
class Heading {
  public:
    Heading(CLI::App &command, const char *heading);
    ~Heading();
    Heading(const Heading &) = delete;
    Heading &operator=(const Heading &) = delete;

  private:
    CLI::App &command_;
    std::string before_;
};

/// Writes the text of --help.
std::shared_ptr<CLI::FormatterBase> help_formatter(const std::string &usage);

} // namespace bowhist::app
