#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/vocabulary.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace bowhist {

/// Reads a vocabulary; docs/formats.md describes each form. vocabulary_pair.hpp reads and writes
/// it with its sidecar.
///
/// The ending decides the form: `.npy` (k×D float32, C order), `.fvecs`, OpenCV's
/// `.yml`/`.yaml`/`.xml` (the first float matrix), and anything else as c.bin: little-endian uint32
/// k, uint32 D, then k·D float32, exactly 8 + 4·k·D bytes.
/// @throws Error{Fault::vocabulary} saying what was expected and what was found; NaN and infinity
///         with their row.
Vocabulary read_vocabulary(const std::filesystem::path &path);

/// XXH3-128 over the bytes of c.bin (k, D and the floats), 32 hexadecimal digits in the
/// canonical (big-endian) order that `xxhsum -H2` prints.
std::string fingerprint(const Vocabulary &vocabulary);
/// The fingerprint of descriptors, as if they were a vocabulary. Reads them once.
std::string fingerprint_of_rows(const DescriptorRows &rows);
/// XXH3-128 over any bytes.
std::string fingerprint_of_bytes(std::string_view bytes);

} // namespace bowhist
