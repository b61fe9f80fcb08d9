#pragma once

// Unicode has two spellings of most accented letters: one code point (Linux, Windows), or a letter
// and its accent (macOS). Names are bytes here, so one spelling does not find the other, although
// both look alike. Messages about what was not found name the other one.

#include <filesystem>
#include <string>
#include <string_view>

namespace bowhist {

bool is_ascii(std::string_view name);

/// The name with one code point for each letter (NFC): equal for names that look alike. The same
/// bytes if it is ASCII or no UTF-8, or if libutf8proc is not installed. Any thread.
std::string composed(const std::string &name);

/// "; did you mean photos/é, which is spelt with other code points"; empty for an empty path.
std::string did_you_mean(const std::filesystem::path &near);

/// The same of what lies on the disk where nothing has this path; empty if nothing looks like it.
std::string did_you_mean_on_disk(const std::filesystem::path &missing);

} // namespace bowhist
