#pragma once

// The parts of recognize(): each looks for one family of kinds.

#include <bowhist/io/foreign_file.hpp>

#include <array>
#include <span>

namespace bowhist {

/// A row of a table of kinds.
struct Kind {
    std::array<std::string_view, 4> keys; ///< any of them recognizes a file; others are empty
    std::string_view what;
    std::string_view advice;
    std::size_t at = 0; ///< where a key stands in the file
};

/// The first kind with a key for which `fits(key, at)` holds.
template <typename Fits>
std::optional<ForeignFile> find_kind(std::span<const Kind> kinds, const Fits &fits) {
    for (const Kind &kind : kinds)
        for (const std::string_view key : kind.keys)
            if (!key.empty() && fits(key, kind.at))
                return ForeignFile{std::string(kind.what), std::string(kind.advice)};
    return std::nullopt;
}

/// Kinds that begin with bytes of their own. `head` is the file's first 64 KiB, or all of it.
std::optional<ForeignFile> marked_kind(std::string_view head);

/// Kinds of text: what servers, mail programs and Git leave in the place of a file.
/// @param reader  which has reported what is wrong with text of its kind
enum class TextReader { none, json_lines, markup };
std::optional<ForeignFile> text_kind(std::string_view head, TextReader reader);

/// Any other text in ASCII: "404: Not Found".
std::optional<ForeignFile> plain_text(std::string_view head);

/// The kind of a zip archive, by its content; a damaged archive is a kind, too.
std::optional<ForeignFile> zip_kind(const InputFile &file, std::string_view ending);

/// Rows of numbers without a signature: .bvecs, .u8bin and the like, by sizes that fit.
/// @param floats_too  whether rows of float32 (.fvecs, .fbin) are foreign as well
std::optional<ForeignFile> rows_kind(const InputFile &file, std::string_view head,
                                     std::string_view ending, bool floats_too);

} // namespace bowhist
