#pragma once

#include <bowhist/tables/formats/json_section.hpp>

#include <cstdint>
#include <span>
#include <string>

// The fingerprint of an image's descriptors in sidecars: XXH3-64 with seed 0.

namespace bowhist {

/// @param rows  end to end
std::uint64_t row_fingerprint(std::span<const float> rows);

/// 16 hexadecimal digits.
std::string as_text(std::uint64_t fingerprint);

/// What a sidecar holds under "fingerprint". @throws Error of the file's fault
std::uint64_t fingerprint_in(const Section &section);

} // namespace bowhist
