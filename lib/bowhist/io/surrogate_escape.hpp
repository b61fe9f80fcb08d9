#pragma once

#include <string>
#include <string_view>

namespace bowhist {

/// Path bytes as text, the way Python's `surrogateescape` does it (PEP 383): valid UTF-8 becomes
/// its code points, every other byte b becomes U+DC00 + b. No byte is lost.
std::u32string decode_path(std::string_view bytes);

/// The inverse of decode_path. Numbers that decode_path never makes (other surrogates, those beyond
/// U+10FFFF) become U+FFFD.
std::string encode_path(std::u32string_view text);

// In JSON a byte that is not UTF-8 is a lone `\udcXX`, which strict parsers and writers refuse.
// They get a NUL and two hexadecimal digits instead, since no path holds a NUL.

/// Path bytes as UTF-8 that a strict JSON writer takes.
std::string protect_bytes(std::string_view path_bytes);

/// The inverse of protect_bytes.
std::string restore_bytes(std::string_view text);

/// JSON text with every lone `\udcXX` as `\u0000XX`, for a strict parser.
std::string protect_escapes(std::string_view json);

/// The inverse of protect_escapes, for what a strict writer wrote.
std::string restore_escapes(std::string_view json);

/// A JSON string literal, quotes included, in plain ASCII or UTF-8; escaped bytes appear as
/// `\udcXX`.
std::string json_string(std::string_view path_bytes);

} // namespace bowhist
