#include <bowhist/core/recipe.hpp>

#include <bowhist/core/printable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

namespace bowhist {

int Recipe::largest_side() const {
    if (max_side >= 0) return max_side;
    return extractor == "dense" ? 384 : 1024;
}

bool Recipe::comparable(const Recipe &other) const {
    return preprocessing == other.preprocessing &&
           std::ranges::all_of(recipe_options, [&](const RecipeOption &option) {
               return !option.decisive || !option.applies_to(*this) || option.same(*this, other);
           });
}

std::string as_option(const RecipeOption &option, const Recipe &recipe, bool always) {
    const auto text = [&](auto member) -> std::string {
        const auto &value = recipe.*member;
        using Value = std::remove_cvref_t<decltype(value)>;
        if (value == Value{} && Recipe().*member == Value{} && !always) return {};
        if constexpr (std::is_same_v<Value, bool>)
            return fmt::format(" {}{}", option.flag, value ? "" : "=false");
        else if constexpr (std::is_same_v<Value, std::string>)
            return fmt::format(" {} {}", option.flag, excerpt(value));
        else
            return fmt::format(" {} {}", option.flag, value);
    };
    return std::visit(text, option.member);
}

std::string as_options(const Preprocessing &steps) {
    std::string text;
    if (steps.equalize) text += " --equalize";
    if (steps.blur_sigma > 0) text += fmt::format(" --blur {}", steps.blur_sigma);
    if (!steps.filter_name.empty()) text += " --filter " + excerpt(steps.filter_name);
    return text;
}

std::string as_options(const Recipe &recipe) {
    std::string text = excerpt(recipe.extractor);
    for (const RecipeOption &option : recipe_options) {
        if (option.is(extractor_option)) continue; // its name stands for itself
        if (option.is(max_side_option)) text += as_options(recipe.preprocessing);
        if (option.applies_to(recipe)) text += as_option(option, recipe, false);
    }
    return text;
}

} // namespace bowhist
