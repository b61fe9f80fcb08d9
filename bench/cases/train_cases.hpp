#pragma once

#include "bench/cases/train_sample.hpp"
#include "bench/rounds.hpp"

#include <bowhist/assign/choose/choice.hpp>

#include <string>

namespace bowhist {

/// What a row of train-iteration measures.
Subject iteration_subject(const Scene &scene, const AssignProblem &problem, const std::string &row,
                          Place place);

/// The level as a training takes it here.
LevelChoice training_level(const Scene &scene, const Level &level);

/// The search for the descriptor that an empty word is put on, by the host and by the device.
std::vector<Case> farthest_cases(const Scene &scene,
                                 const std::shared_ptr<const TrainSample> &sample);

} // namespace bowhist
