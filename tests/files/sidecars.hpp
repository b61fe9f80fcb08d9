#pragma once

#include <bowhist/core/vocabulary.hpp>
#include <bowhist/tables/formats/float_matrix.hpp>
#include <bowhist/tables/formats/sidecar_json.hpp>

#include "tests/files/checks.hpp"

namespace checks {

/// Writes the sidecar of a file alone.
template <typename Sidecar>
void write_sidecar(const std::filesystem::path &file, const Sidecar &sidecar) {
    const auto path = bowhist::sidecar_path(file);
    write_bytes(path, bowhist::sidecar_text(path, sidecar));
}

/// Writes c.bin alone.
inline void write_vocabulary(const std::filesystem::path &file,
                             const bowhist::Vocabulary &vocabulary) {
    write_bytes(file, bowhist::fbin_header(vocabulary.size(), vocabulary.dimensions) +
                          bytes_of_all(vocabulary.values));
}

} // namespace checks
