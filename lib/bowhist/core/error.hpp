#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace bowhist {

/// The kind of a fault; a program maps it to an exit status.
enum class Fault {
    usage,      ///< the call itself: an unknown level, options that contradict each other
    input,      ///< one input (image, descriptor file); the others can still be served
    vocabulary, ///< the centroids: unreadable, wrong size, not finite, of another dimension
    device,     ///< OpenCL: no such device, a kernel that does not build, out of memory; or a
                ///< library of another version
    output,     ///< a result that cannot be written
    interrupted ///< the user asked to stop
};

/// Why an input cannot be used. This is the one table of reasons (docs/library.md): a library keeps
/// some under the hash of the bytes, and others make it try the input again in each run.
enum class Cause {
    unknown, ///< nothing shows that the bytes are at fault, such as a file that cannot be read
    // kept
    header, ///< no picture, a kind that is not read, cut off, empty, or larger than the limits
    damage, ///< a decoder refuses the bytes with all that it may use at hand
    // tried again
    killed,  ///< a decoder ended without an answer, by itself or from outside
    memory,  ///< it ran out
    library, ///< a codec or a program of bowhist's is not there
    limit,   ///< of the system: processes, threads, open files, disk
    slow     ///< more CPU time than it may take, which depends on the machine
};

/// Whether the bytes alone are at fault.
constexpr bool is_of_bytes(Cause cause) {
    return cause == Cause::header || cause == Cause::damage;
}

/// The one exception type of the library.
///
/// what() is one line: what happened, to what, what to do next. `detail` holds what does not fit
/// on a line (a compiler's log) and may be empty.
class Error : public std::runtime_error {
  public:
    Error(Fault whose, const std::string &message, std::string more = {})
        : std::runtime_error(message), fault(whose), detail(std::move(more)) {}
    /// A fault of an input, with its cause.
    Error(Cause why, const std::string &message)
        : std::runtime_error(message), fault(Fault::input), cause(why) {}

    Fault fault;
    Cause cause = Cause::unknown; ///< of Fault::input
    std::string detail;
};

/// A device's memory does not suffice; with less at a time it may. A caller that cannot take less
/// treats it like any other Error{Fault::device}.
class OutOfMemory : public Error {
  public:
    explicit OutOfMemory(const std::string &message) : Error(Fault::device, message) {}
};

} // namespace bowhist
