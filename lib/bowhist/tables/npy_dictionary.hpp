#pragma once

#include <bowhist/tables/npy.hpp>

#include <optional>
#include <string_view>

namespace bowhist {

/// The dictionary in the header of a .npy file; nothing when the text is none, or has not exactly
/// the keys descr (text), fortran_order and shape.
std::optional<NpyHeader> parse_npy_dictionary(std::string_view text);

} // namespace bowhist
