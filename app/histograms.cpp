// bowhist --centroids c.bin INPUT...: images in, histograms out.
#include "app/options.hpp"
#include "app/summary.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/pipeline/make_histograms.hpp>

namespace bowhist::app {
namespace {

struct HistogramCall {
    HistogramRequest request;
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
    HistogramRequest &request = call.request;
    add_file(command, "--centroids", request.centroids,
             "The vocabulary, as `bowhist train` writes it");
    add_file(command, "-o,--output", request.output,
             "The ending is the format: .csv .npy .npz .jsonl .svm (without it, or for "
             "-, CSV to standard output)");
    add_normalization_option(command, request.normalization);
    add_level_options(command, request.level);
    add_recipe_options(command, request.recipe);
    add_input_options(command, request.inputs);
    add_stream_options(command, request.stream);
    add_console_options(command, call.console);
    request.inputs.arguments = command.parse(arguments);
    if (request.centroids.empty())
        throw Error(Fault::usage,
                    "there is no vocabulary; give --centroids c.bin, or learn one first: bowhist "
                    "train -o c.bin INPUT...; see --help");
    if (request.output == "-") request.output.clear(); // standard output, as without -o
    return call;
}

} // namespace

int make_histograms_verb(const Arguments &arguments) {
    const HistogramCall call = read_call(arguments);
    Console console(call.console);
    const HistogramRun run = make_histograms(call.request, console);
    for (const LevelPart &part : run.parts) note_report(console, part.level.name(), part.report);
    return summarize(run.inputs, console);
}

} // namespace bowhist::app
