#include <bowhist/learn/model_defaults.hpp>

#include <bowhist/encode/mirrored.hpp>

namespace bowhist {

RecipeRequest with_model_defaults(RecipeRequest asked) {
    if (asked.recipe.extractor != "dense") return asked;
    if (!asked.given.contains("--patches")) asked.recipe.patches = "8,16,24,32,48,64";
    if (!asked.given.contains("--step")) asked.recipe.step = 8;
    return asked;
}

PreparationSteps usual_steps(const Recipe &recipe) {
    const bool mirrors = mirroring_of(recipe) != Mirroring::none;
    return parse_preparation(mirrors ? "root,whiten:48,position,scale,contrast,mirror"
                                     : "root,whiten:48,position,scale,contrast");
}

} // namespace bowhist
