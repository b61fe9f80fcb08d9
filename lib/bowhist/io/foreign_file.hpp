#pragma once

#include <bowhist/io/input_file.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace bowhist {

/// The kind that a file should have been.
enum class Expected { image, descriptors, vocabulary, histograms };

/// A file of another kind than expected.
struct ForeignFile {
    std::string what;      ///< "a web page", "an HDF5 file"
    std::string advice;    ///< what to do about it
    bool is_image = false; ///< or a video, which can be converted to images
};

/// Recognizes a file that could not be read: by its content, or by the ending of its name where its
/// content has no signature. Empty if the kind is unknown or is the one that its reader took it
/// for. Takes any content; reads at most 64 MiB from the beginning and leaves the file's position
/// alone.
/// @throws Error of the file's fault when the system cannot read it
std::optional<ForeignFile> recognize(const InputFile &file, Expected expected);

/// "is no vocabulary but a web page; get the file again", and further advice.
std::string refusal(const ForeignFile &found, Expected expected);

/// The result of `read`. If it fails on a file of another kind, the error names the kind.
template <typename Read>
auto read_or_recognize(InputFile &file, Expected expected, const Read &read) {
    try {
        return read(file);
    } catch (const Error &) {
        if (const auto found = recognize(file, expected))
            file.fail("{}", refusal(*found, expected));
        throw;
    }
}

} // namespace bowhist
