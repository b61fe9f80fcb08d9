#pragma once

#include <bowhist/device/device.hpp>

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

/// Vectors that one transfer sends to a device, again and again. On a GPU a transfer of a few
/// bytes, and the memory for them, takes as long as a kernel does.
class Bundle {
  public:
    Bundle() = default;
    ~Bundle();
    Bundle(const Bundle &) = delete;
    Bundle &operator=(const Bundle &) = delete;

    /// send() makes `there` a buffer with these values. Both stay in place until then.
    template <typename T>
    void add(const std::vector<T> &values, Buffer<T> &there) {
        there.size = values.size();
        parts_.push_back({std::as_bytes(std::span(values)), &there.memory});
    }
    template <typename T>
    void add(std::vector<T> &&values, Buffer<T> &there) = delete; // it would be gone
    /// Sends what was added since the last call, after everything launched before. Returns at once;
    /// launches until the next call find these values.
    /// @param device  the same each time @throws Error{Fault::device}, OutOfMemory
    void send(Device &device);

  private:
    struct Part {
        std::span<const std::byte> values;
        cl::Buffer *there;
    };
    std::vector<Part> parts_;
    std::vector<std::byte> all_;
    Buffer<std::byte> memory_;
    cl::Event sent_; ///< all_; null: nothing was
};

/// The kernels of cl/ as they were when the library was built, by file name.
const std::map<std::string, std::string_view> &embedded_kernels();

/// The text of `file` ready to compile: each `#include "other.cl"` is replaced by that file, once,
/// and `#line` keeps the compiler's messages at the files' own lines.
///
/// Files in `kernel_dir` stand in for the embedded ones of the same name.
/// @throws Error{Fault::device} when a file is nowhere, or is in `kernel_dir` and cannot be read,
/// or is a header there and differs from the library's.
std::string kernel_source(const std::string &file, const std::filesystem::path &kernel_dir = {});

/// A folder without any of the kernels' files is a mistyped one: nothing of it would be used.
/// An empty path means the embedded kernels. @throws Error{Fault::usage}
void check_kernel_dir(const std::filesystem::path &kernel_dir);

/// Writes every embedded kernel into a folder, to read and edit; the folder is made if need be.
/// A file that is there and differs may be a user's work: then nothing is written. Each file
/// appears whole or not at all. @throws Error{Fault::output}
void dump_kernels(const std::filesystem::path &folder);

} // namespace bowhist
