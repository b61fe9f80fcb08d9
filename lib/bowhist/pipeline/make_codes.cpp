#include <bowhist/pipeline/make_codes.hpp>

#include <bowhist/assign/choose/host_time.hpp>
#include <bowhist/assign/choose/unused_options.hpp>
#include <bowhist/pipeline/encoded_stream.hpp>
#include <bowhist/pipeline/output_check.hpp>
#include <bowhist/tables/histograms/row_writer.hpp>
#include <bowhist/tables/vocabulary/model_file.hpp>

#include <fmt/format.h>

namespace bowhist {
namespace {

/// About how many rows images have: auto needs to know before any was read.
constexpr double rows_an_image = 10'000;

LevelChoice choose(LevelRequest request, const VladModel &model, std::size_t images) {
    const std::size_t dimensions = model.words.dimensions;
    const std::size_t k = model.words.size();
    request.host_seconds =
        host_seconds(request, dimensions, k, rows_an_image * static_cast<double>(images));
    return choose_level(request, dimensions, k);
}

RowFileInfo info_of(const VladModel &model, const Recipe &recipe) {
    return {.size = model.row_size(),
            .codes = model.makes_codes(),
            .encoding = "vlad",
            .fingerprint = model.fingerprint,
            .extractor = as_options(recipe),
            .preparation = as_text(model.preparation.steps)};
}

} // namespace

HistogramRun make_codes(const HistogramRequest &request, Observer &observer) {
    const VladModel model = read_model(request.centroids);
    const VocabularyPair described = descriptors_of(model, request.centroids);
    const PreparedRecipe recipe(request.recipe, described);
    HistogramRun run;
    run.inputs.list = list_given_inputs(request.inputs, request.stream.strict, observer);
    run.inputs.recipe = recipe.recipe();
    const InputList &list = run.inputs.list;
    check_outputs({request.output}, {request.centroids, request.inputs.list}, list);
    LevelRequest wished = request.level;
    wished.options.threads = request.stream.threads;
    wished.options.observer = &observer;
    const StreamOptions options =
        recipe.options_for(list, request.stream, {wished.device, wished.kernel_dir}, observer);
    run.inputs.few = options.few;
    const LevelChoice level = choose(wished, model, list.inputs.size());
    observer.note(fmt::format("extracting with {}, preparing by {}, assigning with {}",
                              as_options(recipe.recipe()), as_text(model.preparation.steps),
                              level.name()));
    warn_of_unused_device(wished, level, options.preprocessor != nullptr, observer);
    const auto assigner = level.prepare(model.words);
    const auto writer = open_rows(request.output, info_of(model, recipe.recipe()));
    run.inputs.counts = stream_encoded(
        list.inputs, recipe.extractor(), model, *assigner, options, observer,
        [&](EncodedImage &&encoded) {
            writer->write({encoded.image, encoded.descriptors, encoded.code, encoded.row});
        });
    writer->finish();
    run.parts.push_back({level, assigner->report()});
    return run;
}

} // namespace bowhist
