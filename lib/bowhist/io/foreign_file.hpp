#pragma once

#include <bowhist/io/input_file.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace bowhist {

/// What a file should have been.
enum class Expected { picture, descriptors, vocabulary, histograms };

/// A file of another kind than expected.
struct ForeignFile {
    std::string what;        ///< "a web page", "an HDF5 file"
    std::string advice;      ///< what to do about it
    bool is_picture = false; ///< or a video: of use where pictures are expected, if converted
};

/// Recognises a file that could not be read: by its content, whatever its name is; by its name's
/// ending where its content has no mark. Nothing where neither is known, or where its kind is the
/// one that its reader took it for. Reads the file from its beginning, at most 64 MiB of it, and
/// leaves its position alone. Any content will do.
/// @throws Error of the file's fault when the system cannot read it
std::optional<ForeignFile> recognise(const InputFile &file, Expected expected);

/// "is no vocabulary but a web page; get the file again", with what else helps.
std::string refusal(const ForeignFile &found, Expected expected);

/// What `read` makes of the file. Where it fails on a file of another kind, the error says which.
template <typename Read>
auto read_or_recognise(InputFile &file, Expected expected, const Read &read) {
    try {
        return read(file);
    } catch (const Error &) {
        if (const auto found = recognise(file, expected)) file.fail(refusal(*found, expected));
        throw;
    }
}

} // namespace bowhist
