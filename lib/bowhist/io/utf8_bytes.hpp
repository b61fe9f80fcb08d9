#pragma once

#include <bowhist/io/input_file.hpp>
#include <bowhist/io/wide_text.hpp>

#include <optional>
#include <string>

namespace bowhist {

/// A file of text, byte by byte, as UTF-8. UTF-16, as spreadsheets and PowerShell write it, is
/// recognized (wide_text.hpp) and converted; all other bytes stay as they are. A byte order mark is
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
