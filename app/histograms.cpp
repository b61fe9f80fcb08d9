// bowhist --centroids c.bin INPUT...: pictures in, histograms out.
#include "app/options.hpp"
#include "app/output_check.hpp"
#include "app/summary.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/pipeline/histogram_run.hpp>

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
    const bool preprocesses = options.stream.preprocessor != nullptr;
    call.level.options.threads = call.stream.threads;
    call.level.options.observer = &console;
    if (call.level.options.batch > 0) options.batch = call.level.options.batch;
    if (call.level.level != "auto")
        warn_of_unused_device(call.level, {&find_level(call.level.level), nullptr, {}},
                              preprocesses, console);
    const auto writer =
        open_histograms(call.output, {vocabulary.size(), call.normalization, pair.fingerprint,
                                      as_options(recipe.recipe())});
    const std::size_t few = options.stream.few;
    const HistogramRun run = run_histograms(
        {list, recipe, vocabulary, call.level, std::move(options)}, *writer, console);
    writer->finish();
    for (const LevelPart &part : run.parts) note_report(console, part.level.name(), part.report);
    if (call.level.level == "auto")
        warn_of_unused_device(call.level, run.parts.back().level, preprocesses, console);
    return summarize(list, run.counts, few, recipe.recipe(), console);
}

} // namespace bowhist::app
