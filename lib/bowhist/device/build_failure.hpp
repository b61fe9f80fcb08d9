#pragma once

#include <bowhist/core/error.hpp>

namespace bowhist {

/// A kernel that a device's compiler refuses; `detail` is the compiler's log.
class BuildFailure : public Error {
  public:
    explicit BuildFailure(const std::string &message, std::string log = {})
        : Error(Fault::device, message, std::move(log)) {}
};

} // namespace bowhist
