#pragma once

#include <bowhist/assign/choose/choice.hpp>

namespace bowhist {

/// choose_level() where the request's level is auto; survey_auto() lists the candidates.
LevelChoice choose_auto(const LevelRequest &request, std::size_t dimensions, std::size_t k);

} // namespace bowhist
