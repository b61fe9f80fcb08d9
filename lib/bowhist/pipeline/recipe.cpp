#include <bowhist/pipeline/recipe.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/encode/preparation.hpp>
#include <bowhist/ops/named_filter.hpp>
#include <bowhist/tables/descriptors/descriptor_file.hpp>
#include <bowhist/tables/formats/filter_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace bowhist {
namespace {

Preprocessing overlaid(Preprocessing steps, const RecipeRequest &asked) {
    const Preprocessing &own = asked.recipe.preprocessing;
    if (asked.given.contains("--equalize")) steps.equalize = own.equalize;
    if (asked.given.contains("--blur")) steps.blur_sigma = own.blur_sigma;
    if (asked.given.contains("--filter")) steps.filter_name = own.filter_name;
    if (asked.given.contains("--filter")) steps.filter = own.filter;
    return steps;
}

Recipe overlaid(Recipe recipe, const RecipeRequest &asked) {
    for (const RecipeOption &option : recipe_options)
        if (asked.given.contains(option.flag)) option.copy(asked.recipe, recipe);
    recipe.preprocessing = overlaid(recipe.preprocessing, asked);
    return recipe;
}

/// The decisive options as they were asked for, "--blur 0" as well if that was asked for.
std::string as_asked(const Recipe &recipe, const RecipeRequest &asked) {
    std::string text;
    for (const RecipeOption &option : recipe_options) {
        const bool first = option.is(extractor_option);
        const bool given = asked.given.contains(option.flag);
        const bool is_shown = first || given || !option.same(asked.recipe, Recipe());
        if (is_shown && option.decisive && option.applies_to(recipe))
            text += as_option(option, first ? recipe : asked.recipe, given);
    }
    text += as_options(recipe.preprocessing);
    if (asked.given.contains("--equalize") && !recipe.preprocessing.equalize)
        text += " --equalize=false";
    if (asked.given.contains("--blur") && recipe.preprocessing.blur_sigma == 0) text += " --blur 0";
    return text;
}

/// The recipe that was asked for, completed by how the vocabulary was made.
Recipe reconciled(const RecipeRequest &asked, const Recipe &recorded) {
    const Recipe recipe = overlaid(recorded, asked);
    if (recipe.comparable(recorded)) return recipe;
    if (recipe.extractor != recorded.extractor)
        make_extractor(asked.recipe); // throws for an unknown one
    throw Error(Fault::usage,
                fmt::format("the vocabulary was trained with --extractor {}, but{} was asked for; "
                            "leave it out, or train another vocabulary",
                            as_options(recorded), as_asked(recipe, asked)));
}

/// Warns when preprocessing was asked for that some inputs do not get.
void warn_of_descriptor_files(const InputList &list, const RecipeRequest &asked,
                              Observer &observer) {
    const Preprocessing steps = overlaid(Preprocessing{}, asked);
    const auto file = std::ranges::find_if(
        list.inputs, [](const Input &input) { return is_descriptor_file(input.path); });
    if (steps.any() && file != list.inputs.end())
        observer.warning(fmt::format("{} holds descriptors, which stay as they are:{} is for "
                                     "pictures; extract them anew where they lack it",
                                     file->path, as_options(steps)));
}

/// The preparation outlives it.
std::function<void(Described &)> preparing(const Preparation &preparation) {
    return [&preparation](Described &described) {
        described.descriptors =
            prepare(preparation, described.descriptors, described.width, described.height);
    };
}

/// Whether an option was given that decides which descriptors fit.
bool decided(const RecipeRequest &asked) {
    return std::ranges::any_of(recipe_options, [&](const RecipeOption &option) {
        return option.decisive && asked.given.contains(option.flag);
    });
}

/// @throws Error{Fault::usage} when an option was asked for that the extractor does not have, or
/// one that does nothing without another
void check_options(const RecipeRequest &asked, const Recipe &recipe) {
    for (const RecipeOption &option : recipe_options) {
        if (!asked.given.contains(option.flag) || option.applies_to(recipe)) continue;
        const bool is_of_one = *option.only != '\0';
        throw Error(Fault::usage,
                    fmt::format("{} is {}; leave it out", option.flag,
                                is_of_one
                                    ? fmt::format("an option of --extractor {}, not of {}",
                                                  option.only, excerpt(recipe.extractor))
                                    : fmt::format("no option of {}", excerpt(recipe.extractor))));
    }
    if (spread_option.applies_to(recipe) && recipe.spread > 0 && recipe.max_descriptors == 0)
        throw Error(Fault::usage, fmt::format("--spread {} takes half of --max-descriptors, and "
                                              "there is no limit; give one, or --spread 0",
                                              recipe.spread));
    if (recipe.enlarge && recipe.max_side == 0)
        throw Error(Fault::usage, "--enlarge makes small pictures as large as --max-side, which is "
                                  "0; give a side, or --enlarge=false");
}

} // namespace

PreparedRecipe::PreparedRecipe(const RecipeRequest &asked)
    : asked_(asked), recipe_(completed(asked.recipe)), extractor_(make_extractor(recipe_)) {
    check_options(asked, recipe_);
}

PreparedRecipe::PreparedRecipe(const RecipeRequest &asked, const VocabularyPair &vocabulary)
    : asked_(asked), vocabulary_(&vocabulary), recipe_(asked.recipe) {
    const auto recorded = vocabulary.recorded.recipe();
    by_sidecar_ = recorded.has_value();
    if (by_sidecar_) recipe_ = reconciled(asked, *recorded);
    recipe_ = completed(recipe_);
    check_options(asked, recipe_);
    try {
        extractor_ = make_extractor(recipe_);
    } catch (const Error &error) {
        if (!by_sidecar_) throw;
        throw Error(Fault::vocabulary,
                    fmt::format("{}: {}", sidecar_path(vocabulary.path), error.what()));
    }
}

/// A warning where no sidecar states how images become descriptors; often empty.
/// @throws Error{Fault::vocabulary} when any guess would be a bad one
std::string PreparedRecipe::doubt(bool guessed) const {
    const std::string vocabulary = printable(vocabulary_->path);
    const std::string sidecar = printable(sidecar_path(vocabulary_->path));
    if (vocabulary_->recorded.of_another) {
        const std::string fault =
            fmt::format("{} belongs to another vocabulary than this {} (its fingerprint differs)",
                        sidecar, vocabulary);
        if (!guessed) return fault + "; ignored";
        throw Error(Fault::vocabulary,
                    fmt::format("{}; give the --extractor that {} was made with, or train it again",
                                fault, vocabulary));
    }
    if (!guessed) return {};
    std::error_code unknown;
    const bool there = std::filesystem::exists(sidecar_path(vocabulary_->path), unknown);
    return fmt::format("{} {}, so --extractor {} is assumed; give the one that {} was made with",
                       sidecar, there ? "names no extractor for it" : "is missing",
                       recipe_.extractor, vocabulary);
}

StreamOptions PreparedRecipe::options_for(const InputList &list, StreamOptions options,
                                          const PreprocessorOptions &device,
                                          Observer &observer) const {
    const bool images = any_image(list);
    options.image.max_side = recipe_.max_side;
    options.image.enlarge = recipe_.enlarge;
    options.smallest_side = smallest_side(recipe_);
    if (recipe_.max_descriptors > 0) options.few = std::min(options.few, recipe_.max_descriptors);
    if (by_sidecar_ || decided(asked_)) options.made_by = recipe_;
    if (vocabulary_) {
        options.dimensions = vocabulary_->vocabulary.dimensions;
        const Preparation *preparation = vocabulary_->recorded.preparation();
        if (preparation) options.prepare = preparing(*preparation);
        const std::size_t dimensions =
            preparation ? preparation->dimensions : vocabulary_->vocabulary.dimensions;
        if (!by_sidecar_) options.doubt = doubt(images && !asked_.given.contains("--extractor"));
        if (images && dimensions != extractor_->dimensions())
            throw Error(
                Fault::vocabulary,
                fmt::format("{} has {} dimensions, the descriptors have {}; train a vocabulary "
                            "with --extractor {}",
                            vocabulary_->path, dimensions, extractor_->dimensions(),
                            recipe_.extractor));
    }
    warn_of_descriptor_files(list, asked_, observer);
    if (images) require_decoders();
    if (images) options.preprocessor = make_preprocessor(recipe_.preprocessing, device);
    return options;
}

void require_recorded(const RecipeRequest &asked, const Recipe &recorded,
                      const std::filesystem::path &model, std::string_view flags) {
    if (!recorded.is_known()) return;
    const Recipe own = completed(recorded);
    const Recipe wished = completed(overlaid(recorded, asked));
    const auto refuse = [&](const std::string &what) {
        throw Error(Fault::usage,
                    fmt::format("{}{} was asked for, but the rows of {} are made with{}; leave it "
                                "out, or learn another model",
                                flags, what, model, " --extractor " + as_options(own)));
    };
    for (const RecipeOption &option : recipe_options)
        if (asked.given.contains(option.flag) && !option.same(wished, own))
            refuse(as_option(option, asked.recipe, true).substr(std::string_view(" --").size()));
    const Preprocessing &steps = wished.preprocessing;
    if (steps.equalize != own.preprocessing.equalize)
        refuse(steps.equalize ? "equalize" : "equalize=false");
    if (steps.blur_sigma != own.preprocessing.blur_sigma)
        refuse(fmt::format("blur {}", steps.blur_sigma));
    if (steps != own.preprocessing) refuse("filter " + excerpt(steps.filter_name));
}

Filter find_filter(const std::string &name_or_path) {
    if (const auto filter = named_filter(name_or_path)) return *filter;
    std::error_code unknown; // reading it reports the reason
    const auto status = std::filesystem::status(name_or_path, unknown);
    if (status.type() == std::filesystem::file_type::not_found)
        throw Error(Fault::usage,
                    fmt::format("there is no filter and no file \"{}\"; give a file of weights, or "
                                "one of: {}",
                                excerpt(name_or_path), filter_names()));
    return read_filter(name_or_path);
}

} // namespace bowhist
