#pragma once

#include <bowhist/duplicates/duplicates.hpp>

#include <string>

namespace bowhist::app {

/// Of "pixels,format:png+jpg,path". @throws CLI::ValidationError
Preferences read_preferences(const std::string &list);

} // namespace bowhist::app
