#pragma once

// The parts of recognize(): each looks for one family of kinds.

#include <bowhist/io/foreign_file.hpp>

namespace bowhist {

/// A row of a table of kinds.
struct Kind {
    std::string_view key; ///< by which a file is recognized
    std::string_view what;
    std::string_view advice;

    ForeignFile file() const { return {std::string(what), std::string(advice)}; }
};

/// Kinds that begin with bytes of their own. `head` is the file's first 64 KiB, or all of it.
std::optional<ForeignFile> marked_kind(std::string_view head);

/// Kinds of text: what servers, mail programs and Git leave in the place of a file.
/// @param reader  which has reported what is wrong with text of its kind
enum class TextReader { none, json_lines, markup };
std::optional<ForeignFile> text_kind(std::string_view head, TextReader reader);

/// Any other text in ASCII: "404: Not Found".
std::optional<ForeignFile> plain_text(std::string_view head);

/// What a zip archive holds; a damaged archive is a kind, too.
std::optional<ForeignFile> zip_kind(const InputFile &file, std::string_view ending);

/// Rows of numbers without a signature: .bvecs, .u8bin and the like, by sizes that fit.
/// @param floats_too  whether rows of float32 (.fvecs, .fbin) are foreign as well
std::optional<ForeignFile> rows_kind(const InputFile &file, std::string_view head,
                                     std::string_view ending, bool floats_too);

/// Kinds that only the name's ending shows.
std::optional<ForeignFile> kind_by_ending(std::string_view ending, Expected expected);

} // namespace bowhist
