#pragma once

#include <bowhist/pipeline/recipe.hpp>

namespace bowhist {

/// The request with a model's defaults: `dense` gets patches of 8,16,24,32,48,64 pixels at a step
/// of 8 where no others were asked for.
RecipeRequest with_model_defaults(RecipeRequest asked);

/// root,whiten:48,position,scale,contrast and, where it is known how, mirror.
PreparationSteps usual_steps(const Recipe &recipe);

} // namespace bowhist
