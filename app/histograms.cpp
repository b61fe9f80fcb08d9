// bowhist --centroids c.bin INPUT...: pictures in, histograms out.
#include "app/options.hpp"
#include "app/output_check.hpp"
#include "app/summary.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/pipeline/histograms.hpp>

#include <tbb/info.h>

namespace bowhist::app {
namespace {

struct HistogramCall {
    std::filesystem::path centroids;
    std::filesystem::path output;
    Normalization normalization = Normalization::none;
    InputSource source;
    RecipeRequest recipe;
    StreamOptions stream;
    LevelRequest level;
    ConsoleOptions console;
};

HistogramCall read_call(const Arguments &arguments) {
    HistogramCall call;
    Command command(
        "", "Turns pictures into bag-of-visual-words histograms.", "--centroids FILE INPUT...",
        "  bowhist --centroids c.bin img/*.jpg > histograms.csv\n"
        "  bowhist --centroids c.bin -o histograms.npz --kernel gpu5 photos/\n"
        "  find . -name '*.jpg' -print0 | bowhist --centroids c.bin --files-from - -0\n"
        "\n"
        "INPUT: pictures, folders of them, or descriptors (.npy .npz .fvecs .fbin).\n"
        "What c.bin.json says of the extractor and of preprocessing holds without these\n"
        "options, too; the defaults are for a vocabulary that has none.\n"
        "Verbs, each with a --help of its own:\n"
        "  bowhist train     learn a vocabulary from pictures\n"
        "  bowhist extract   descriptors only, to reuse\n"
        "  bowhist assign    descriptors to words\n"
        "  bowhist filter    a picture to a picture, to look at\n"
        "  bowhist cluster   group pictures by their histograms\n"
        "  bowhist devices   what OpenCL offers here\n"
        "  bowhist kernels   the optimisation levels and their source\n"
        "  bowhist bench     what each of them reaches here\n"
        "  bowhist help VERB the same as its --help\n"
        "\n"
        "Exit status: 0 all done, 1 some inputs were skipped, 2 wrong usage, 3 no result,\n"
        "130 interrupted.");
    add_file(command, "--centroids", call.centroids,
             "The vocabulary, as `bowhist train` writes it");
    add_file(command, "-o,--output", call.output,
             "The ending is the format: .csv .npy .npz .jsonl .svm (without it, or for "
             "-, CSV to standard output)");
    add_normalization_option(command, call.normalization);
    add_level_options(command, call.level);
    add_recipe_options(command, call.recipe);
    add_input_options(command, call.source);
    add_stream_options(command, call.stream);
    add_console_options(command, call.console);
    call.source.arguments = command.parse(arguments);
    if (call.centroids.empty())
        throw Error(Fault::usage,
                    "there is no vocabulary; give --centroids c.bin, or learn one first: bowhist "
                    "train -o c.bin INPUT...; see --help");
    if (call.output == "-") call.output.clear(); // standard output, as without -o
    for (const auto &input : {call.centroids, call.source.list})
        check_outputs({call.output}, input);
    return call;
}

/// On the host a picture takes one thread: of few pictures all threads assign each. The reference
/// has one thread.
bool worth_counting(const InputList &list, const Level &level, int threads) {
    if (level.on_device) return any_picture(list);
    const int cores = threads > 0 ? threads : tbb::info::default_concurrency();
    return !level.is_reference && any_picture(list) &&
           list.inputs.size() >= static_cast<std::size_t>(cores);
}

} // namespace

int make_histograms_verb(const Arguments &arguments) {
    HistogramCall call = read_call(arguments);
    Console console(call.console);
    const VocabularyPair pair = read_vocabulary_pair(call.centroids);
    const Vocabulary &vocabulary = pair.vocabulary;
    const PreparedRecipe recipe(call.recipe, pair);
    const InputList list = list_given_inputs(call.source, call.stream.strict, console);
    check_outputs({call.output}, list);
    HistogramOptions options{
        recipe.options_for(list, call.stream, {call.level.device, call.level.kernel_dir}, console)};
    call.level.options.threads = call.stream.threads;
    call.level.options.observer = &console;
    call.level.prefers_gpu = any_picture(list) && suits_gpus(recipe.recipe());
    const LevelChoice level = choose_level(call.level, vocabulary.dimensions, vocabulary.size());
    const std::string made = as_options(recipe.recipe());
    console.note(fmt::format("extracting with {}, assigning with {}", made, level.name()));
    warn_of_unused_device(call.level, level, options.stream.preprocessor != nullptr, console);
    const auto assigner = level.prepare(vocabulary);
    const auto writer = open_histograms(
        call.output, {vocabulary.size(), call.normalization, pair.fingerprint, made});
    std::unique_ptr<PictureCounter> counter;
    if (worth_counting(list, *level.level, call.stream.threads))
        counter = make_picture_counter(recipe.recipe(), recipe.extractor(), *assigner, console);
    options.stream.counter = counter.get();
    options.words = vocabulary.size();
    if (call.level.options.batch > 0) options.batch = call.level.options.batch;
    const StreamCounts counts =
        make_histograms(list.inputs, recipe.extractor(), *assigner, *writer, options, console);
    writer->finish();
    note_report(console, level.name(), assigner->report());
    return summarize(list, counts, options.stream.few, recipe.recipe(), console);
}

} // namespace bowhist::app
