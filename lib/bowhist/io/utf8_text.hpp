#pragma once

#include <bowhist/io/input_file.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace bowhist {

/// How text in UTF-16 or UTF-32 lies in bytes.
struct WideForm {
    std::size_t width; ///< of a unit, in bytes
    bool big_endian;
};

/// The form of text that begins with `bytes`, by the ASCII letters in the first 64 KiB: there are
/// three in a row, or two that end a line or follow a byte order mark. Empty for other bytes.
std::optional<WideForm> wide_form(std::string_view bytes);

/// Wide text as UTF-8, with its byte order mark if it has one. A NUL stands for what is no letter:
/// half of a surrogate pair, or an end with too few bytes.
std::string as_utf8(std::string_view bytes, const WideForm &form);

/// Whether `bytes` end within a surrogate pair.
bool ends_in_pair(std::string_view bytes, const WideForm &form);

/// Empty where `bytes` are no wide text.
inline std::optional<std::string> wide_as_utf8(std::string_view bytes) {
    const auto form = wide_form(bytes);
    return form ? std::optional(as_utf8(bytes, *form)) : std::nullopt;
}

/// A file of text, byte by byte, as UTF-8. UTF-16, as spreadsheets and PowerShell write it, is
/// recognized and converted; all other bytes stay as they are. A byte order mark is
/// left out.
/// @throws Error of the file's fault, also for a NUL byte, which no text holds
class Utf8Bytes {
  public:
    /// @param file  borrowed: it outlives this object, which alone reads it
    explicit Utf8Bytes(InputFile &file);

    int next(); ///< 0 to 255; EOF behind the last one

    /// The next bytes, up to a line feed, which is left out; false behind the last line.
    bool next_line(std::string &line);

    /// `text` comes next, before all that follows.
    void put_back(const std::string &text);

  private:
    bool fill();

    InputFile &file_;
    std::optional<WideForm> form_; ///< empty: bytes are taken as they are
    std::string waiting_;          ///< bytes of the next part of the file
    std::size_t taken_ = 0;        ///< of these
};

} // namespace bowhist
