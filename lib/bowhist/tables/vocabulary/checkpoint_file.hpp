#pragma once

#include <bowhist/core/training_state.hpp>

#include <filesystem>
#include <optional>

namespace bowhist {

/// Empty where there is no such file. @throws Error{Fault::input} when it is no checkpoint
std::optional<TrainingState> read_checkpoint(const std::filesystem::path &path);

/// Writes it whole or not at all. @throws Error{Fault::output}
void write_checkpoint(const std::filesystem::path &path, const TrainingState &state);

} // namespace bowhist
