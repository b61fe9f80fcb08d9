#pragma once

#include <bowhist/core/error.hpp>

namespace bowhist {

/// A driver that refuses a kernel in groups of a size, which its source demands. Built for smaller
/// ones it may run.
class RefusedGroup : public Error {
  public:
    explicit RefusedGroup(const std::string &message) : Error(Fault::device, message) {}
};

} // namespace bowhist
