#pragma once

#include <string>
#include <string_view>

namespace bowhist {

/// Path bytes as text, the way Python's `surrogateescape` does it (PEP 383): valid UTF-8 becomes
/// its code points, every other byte b becomes U+DC00 + b. No byte is lost.
std::u32string decode_path(std::string_view bytes);

/// The inverse of decode_path. What decode_path never makes (other surrogates, numbers beyond
/// U+10FFFF) becomes U+FFFD.
std::string encode_path(std::u32string_view text);

/// A JSON string literal, quotes included, in plain ASCII or UTF-8; escaped bytes appear as
/// `\udcXX`.
std::string json_string(std::string_view path_bytes);

/// JSON text with every lone `\udcXX` as `\u0000XX`. Strict JSON parsers refuse the former; the
/// latter is free to carry it, because no path holds a NUL.
std::string protect_escapes(std::string_view json);

/// The path bytes of a string that was parsed from what protect_escapes returned.
std::string restore_escapes(std::string_view parsed);

} // namespace bowhist
