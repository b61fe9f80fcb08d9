#pragma once

#include <cstddef>
#include <string_view>

namespace bowhist {

/// How deep the text of an OpenCV file (XML, YAML or JSON, told apart by how it begins) may nest:
/// never less than what cv::FileStorage recurses, so that its stack is safe below a limit. It may
/// be more where brackets stand in quotes, comments or odd keys. Takes no stack of its own.
std::size_t nesting_bound(std::string_view text);

/// Whether the text has a NUL, or a CR within a line: what follows on that line may be read or
/// passed over, so that nesting_bound() would not hold.
bool hides_text(std::string_view text);

} // namespace bowhist
