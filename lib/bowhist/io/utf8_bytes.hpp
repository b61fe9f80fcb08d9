#pragma once

#include <bowhist/io/input_file.hpp>

#include <string>

namespace bowhist {

/// A file of text, byte by byte, as UTF-8. UTF-16, as spreadsheets and PowerShell write it, is
/// recognised by its byte order mark, or by the zeros in its first letters, and converted; all
/// other bytes stay as they are. A byte order mark is left out.
/// @throws Error of the file's fault, for a NUL byte, too: there is none in any text
class Utf8Bytes {
  public:
    explicit Utf8Bytes(InputFile &file);

    int next(); ///< 0 to 255; EOF behind the last one

    /// The next bytes, up to a line feed, which is left out; false behind the last line.
    bool next_line(std::string &line);

    /// `text` is what comes next, before all that follows.
    void put_back(std::string text);

  private:
    enum class Encoding { bytes, little, big };

    int next_unread();
    int next_unit(); ///< of UTF-16; EOF behind the last one
    void convert();

    InputFile &file_;
    Encoding encoding_ = Encoding::bytes;
    std::string waiting_; ///< bytes that come before the file's
    std::size_t taken_ = 0;
};

} // namespace bowhist
