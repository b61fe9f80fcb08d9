#pragma once

#include <bowhist/core/error.hpp>
#include <bowhist/io/file_handle.hpp>

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace bowhist {

/// A file system cannot hold the name of one output; it may hold those of others. A caller with no
/// others treats it like any other Error{Fault::output}.
class UnusableName : public Error {
  public:
    explicit UnusableName(const std::string &message) : Error(Fault::output, message) {}
};

/// A stream of bytes to a file. Every failure, also one in close(), is an Error{Fault::output} that
/// names the stream and the system's reason.
class CheckedStream {
  public:
    /// Creates or empties `file`; messages call it `name`.
    CheckedStream(const std::filesystem::path &file, std::string name);

    static CheckedStream standard_output();

    void write(std::string_view bytes);
    void rewind(); ///< returns to the first byte
    void close();  ///< ends writing; a second call does nothing

  private:
    CheckedStream(std::FILE *file, std::string name);

    std::string name_; ///< printable
    FileHandle file_;
};

/// Whether a reason in errno means that a file system cannot hold a name: EINVAL for "12:30.npy"
/// where no name holds a colon.
bool is_fault_of_name(int reason);

/// "NAME: cannot be DOING: the reason; what to do next".
std::string output_failure(std::string_view name, std::string_view doing, int reason);

/// Throws Error{Fault::output} "NAME: cannot be DOING: the reason in errno".
[[noreturn]] void fail_output(std::string_view name, std::string_view doing);

} // namespace bowhist
