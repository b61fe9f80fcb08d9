#pragma once

#include <filesystem>
#include <string>

namespace bowhist {

/// Writes the bytes of one file over those of another, which no rename can replace. A disk without
/// room for them refuses before the first byte is written, where its file system can; a later
/// failure leaves part of the bytes there.
/// @param to    a regular file
/// @param name  of it, in messages
/// @throws Error{Fault::output}
void write_over(const std::filesystem::path &from, const std::filesystem::path &to,
                const std::string &name);

} // namespace bowhist
