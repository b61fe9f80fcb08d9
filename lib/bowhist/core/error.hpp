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

/// The one exception type of the library.
///
/// what() is one line: what happened, to what, what to do next. `detail` holds what does not fit
/// on a line (a compiler's log) and may be empty.
class Error : public std::runtime_error {
  public:
    Error(Fault whose, const std::string &message, std::string more = {})
        : std::runtime_error(message), fault(whose), detail(std::move(more)) {}

    Fault fault;
    std::string detail;
};

/// A device's memory does not suffice; with less at a time it may. A caller that cannot take less
/// treats it like any other Error{Fault::device}.
class OutOfMemory : public Error {
  public:
    explicit OutOfMemory(const std::string &message) : Error(Fault::device, message) {}
};

} // namespace bowhist
