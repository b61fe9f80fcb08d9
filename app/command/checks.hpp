#pragma once

// Checks of an option's text, with messages in our words: CLI11's own name ranges and internals.

#include <CLI/CLI.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace bowhist::app {

/// A check for an output's option: the path must end in one of these, in any case.
CLI::Validator ends_in(const std::vector<std::string> &endings);

/// A page: FILE.html; or a folder, which ends in a slash or is there.
CLI::Validator page_place();

/// The same, or - for standard output.
CLI::Validator dash_or_ends_in(const std::vector<std::string> &endings);

/// A check: a folder that is there.
CLI::Validator existing_folder();

/// Words are numbered in int32.
constexpr std::uint64_t most_words = std::numeric_limits<std::int32_t>::max();

/// A check: a whole number, written in digits alone, from `least` to `most`.
CLI::Validator whole_number(std::uint64_t least,
                            std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

/// A check: a number from `least` to `most`, or 0, which means none.
CLI::Validator none_or_within(double least, double most);

/// Turns "512M" or "4GiB" into bytes, of which there are 1024 to a K.
CLI::Validator size_in_bytes();

/// A check: a finite number from 0 on. @param zero  what 0 means, in messages
CLI::Validator finite_from_zero(const std::string &zero = "");

} // namespace bowhist::app
