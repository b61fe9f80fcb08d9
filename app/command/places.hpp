#pragma once

#include <bowhist/inputs/inputs.hpp>

#include <filesystem>
#include <set>
#include <string>

namespace bowhist::app {

/// The place of each image's descriptors in a folder: under the image's own relative path, no two
/// at the same place.
class Places {
  public:
    explicit Places(std::filesystem::path folder) : folder_(std::move(folder)) {}

    std::filesystem::path place_for(const Input &input);

  private:
    std::filesystem::path folder_;
    std::set<std::string> taken_;
};

} // namespace bowhist::app
