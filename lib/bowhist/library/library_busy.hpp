#pragma once

#include <bowhist/core/error.hpp>

#include <filesystem>
#include <string>

namespace bowhist {

/// Another run is writing a library: later it can be written.
class LibraryBusy : public Error {
  public:
    /// @param by  "process 123 on host"
    LibraryBusy(const std::filesystem::path &library, const std::string &by);

    std::string writer;
};

} // namespace bowhist
