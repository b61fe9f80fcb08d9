#pragma once

#include <bowhist/assign/choose/choice.hpp>

#include <memory>

namespace bowhist {

/// choose_level() where the request's level is auto; survey_auto() tells the candidates.
LevelChoice choose_auto(const LevelRequest &request, std::size_t dimensions, std::size_t k);

/// The device that a request means. @throws Error{Fault::device}
std::shared_ptr<Device> open_device(const LevelRequest &request);

} // namespace bowhist
