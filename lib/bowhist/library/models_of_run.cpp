#include <bowhist/library/models_of_run.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/library/learning.hpp>

#include <fmt/format.h>

namespace bowhist {
namespace {

void require_held(bool holds, std::size_t k, const RecipeRequest &recipe, const char *kind,
                  const std::filesystem::path &library) {
    if (holds || (k == 0 && recipe.given.empty())) return;
    throw Error(Fault::usage,
                fmt::format("{} holds no {}; leave the options --{}-... out", library, kind, kind));
}

/// @param fewer  whether learning makes fewer words than asked for where there are few descriptors
void require_size(std::size_t k, std::size_t own, bool fewer, const char *option,
                  const std::filesystem::path &library) {
    if (k == 0 || k == own || (fewer && own < k)) return;
    throw Error(Fault::usage, fmt::format("{} has {} words already, and {} {} was asked for; leave "
                                          "it out, or replace all with --relearn",
                                          library, own, option, k));
}

bool has_models(Catalogue &catalogue) { // without reading them
    return catalogue.database().number("SELECT count(*) FROM models") > 0;
}

bool gives_some(const IndexRequest &request) {
    return request.words_k > 0 || request.code_k > 0 || !request.words_recipe.given.empty() ||
           !request.code_recipe.given.empty();
}

} // namespace

void require_own_models(Catalogue &catalogue, const IndexRequest &request,
                        const LibrarySettings &settings) {
    if (!gives_some(request)) return;
    const std::filesystem::path &library = request.library;
    require_held(settings.words, request.words_k, request.words_recipe, "words", library);
    require_held(settings.code, request.code_k, request.code_recipe, "code", library);
    if (request.relearn) return;
    const LibraryModels models = models_in(catalogue);
    if (models.words) {
        require_size(request.words_k, models.words->vocabulary.size(), false, "--words-k", library);
        if (const auto recipe = models.words->recorded.recipe())
            require_recorded(request.words_recipe, *recipe, library, "--words-");
    }
    if (models.code) {
        require_size(request.code_k, models.code->words.size(), true, "--code-k", library);
        require_recorded(request.code_recipe, models.code->recipe, library, "--code-");
    }
}

LibraryModels models_of_run(Catalogue &catalogue, const IndexRequest &request,
                            const LibrarySettings &settings, const Targets &targets,
                            Observer &observer) {
    const bool learns = !has_models(catalogue) && request.models.empty();
    if (learns) require_any(targets);
    try {
        return models_for(catalogue, request, settings, source_of(targets), observer);
    } catch (const Error &error) {
        if (error.fault != Fault::interrupted || !learns) throw;
        const char *kept = has_models(catalogue)
                               ? "words are kept, and the next run learns codes again"
                               : "nothing is kept: the next run begins again";
        throw Error(error.fault, fmt::format("{} while it learned; {}", error.what(), kept));
    }
}

} // namespace bowhist
