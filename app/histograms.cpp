// bowhist --centroids c.bin INPUT...: pictures in, histograms out.
#include "app/options.hpp"
#include "app/output_check.hpp"
#include "app/report_level.hpp"
#include "app/summary.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/pipeline/histograms.hpp>
#include <bowhist/tables/vocabulary_pair.hpp>

#include <fmt/format.h>

namespace bowhist::app {
namespace {

struct HistogramCall {
    std::filesystem::path centroids;
    std::filesystem::path output;
    Normalization normalization = Normalization::none;
    InputSource source;
    ExtractorChoice extractor;
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
        "INPUT: pictures, folders of them, or files of descriptors (.npy .fvecs .fbin).\n"
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
    command
        .add_option("--centroids", call.centroids, "The vocabulary, as `bowhist train` writes it")
        ->type_name("FILE");
    command
        .add_option("-o,--output", call.output,
                    "The ending is the format: .csv .npy .npz .jsonl .svm (without it, or for "
                    "-, CSV to standard output)")
        ->type_name("FILE");
    add_normalization_option(command, call.normalization);
    add_level_options(command, call.level);
    add_extractor_options(command, call.extractor);
    add_input_options(command, call.source);
    add_stream_options(command, call.stream);
    add_console_options(command, call.console);
    call.source.arguments = command.parse(arguments);
    if (call.centroids.empty())
        throw Error(Fault::usage,
                    "there is no vocabulary; give --centroids c.bin, or learn one first: bowhist "
                    "train -o c.bin INPUT...; see --help");
    if (call.output == "-") call.output.clear(); // standard output, as without -o
    check_not_input(call.output, call.centroids);
    check_not_input(call.output, call.source.list);
    return call;
}

/// What to say when no sidecar tells how pictures are to become descriptors; often nothing.
/// @throws Error{Fault::vocabulary} when any guess would be a bad one
std::string doubt_about(const SidecarAnswer &told, const HistogramCall &call, bool any_picture) {
    const std::string sidecar = printable(sidecar_path(call.centroids));
    const std::string vocabulary = printable(call.centroids);
    const bool guessed = any_picture && !call.extractor.extractor_given;
    if (told.of_another) {
        const std::string fault =
            fmt::format("{} belongs to another vocabulary than this {} (its fingerprint differs)",
                        sidecar, vocabulary);
        if (!guessed) return fault + "; ignored";
        throw Error(Fault::vocabulary,
                    fmt::format("{}; give the --extractor that {} was made with, or train it again",
                                fault, vocabulary));
    }
    if (!guessed) return {};
    const bool there = std::filesystem::exists(sidecar_path(call.centroids));
    return fmt::format("{} {}, so --extractor {} is assumed; give the one that {} was made with",
                       sidecar, there ? "names no extractor for it" : "is missing",
                       call.extractor.record.extractor, vocabulary);
}

/// The extractor of the sidecar, or of the options: whoever named one that cannot be had is told.
std::unique_ptr<Extractor> extractor_for(const HistogramCall &call, bool by_sidecar) {
    const ExtractorOptions options = extractor_options(call.extractor.record);
    try {
        return make_extractor(options);
    } catch (const Error &error) {
        if (!by_sidecar) throw;
        throw Error(Fault::vocabulary,
                    fmt::format("{}: {}", printable(sidecar_path(call.centroids)), error.what()));
    }
}

/// Pictures' descriptors have the extractor's dimension: a vocabulary of another serves none of
/// them.
void check_pictures_fit(const InputList &list, const Vocabulary &vocabulary,
                        const Extractor &extractor, const HistogramCall &call) {
    if (any_picture(list) && vocabulary.dimensions != extractor.dimensions())
        throw Error(
            Fault::vocabulary,
            fmt::format("{} has {} dimensions, the descriptors have {}; train a vocabulary with "
                        "--extractor {}",
                        printable(call.centroids), vocabulary.dimensions, extractor.dimensions(),
                        call.extractor.record.extractor));
}

} // namespace

int make_histograms_verb(const Arguments &arguments) {
    HistogramCall call = read_call(arguments);
    Console console(call.console);
    const auto [vocabulary, print, told] = read_vocabulary_pair(call.centroids);
    const bool by_sidecar = told.extractor().has_value();
    ExtractorRecord &record = call.extractor.record;
    if (by_sidecar) record = reconcile(call.extractor, *told.sidecar);
    record = with_threshold(record);
    const auto extractor = extractor_for(call, by_sidecar);
    const InputList list = list_given_inputs(call.source, call.stream.strict, console);
    check_not_input(call.output, list);
    const std::string doubt = by_sidecar ? "" : doubt_about(told, call, any_picture(list));
    check_pictures_fit(list, vocabulary, *extractor, call);
    const auto preprocessor =
        preprocessor_for(list, record.preprocessing, call.extractor.preprocessing_given,
                         {call.level.device, call.level.kernel_dir}, console);
    call.level.options.threads = call.stream.threads;
    call.level.options.observer = &console;
    const LevelChoice level = choose_level(call.level, vocabulary.dimensions, vocabulary.size());
    console.note(
        fmt::format("extracting with {}, assigning with {}", as_options(record), level.name()));
    if (!preprocessor) warn_of_unused_kernels(call.level, level, console);
    const auto assigner = level.prepare(vocabulary);
    const auto writer = open_histograms(
        call.output, {vocabulary.size(), call.normalization, print, as_options(record)});
    if (!doubt.empty()) console.warning(doubt);

    HistogramOptions options;
    options.stream = call.stream;
    options.stream.picture.max_side = record.max_side;
    options.stream.preprocessor = preprocessor;
    options.stream.few = few_descriptors(record.max_descriptors);
    options.stream.dimensions = vocabulary.dimensions;
    if (by_sidecar) options.stream.made_by = record;
    options.words = vocabulary.size();
    if (call.level.options.batch > 0) options.batch = call.level.options.batch;
    const StreamCounts counts =
        make_histograms(list.inputs, *extractor, *assigner, *writer, options, console);
    writer->finish();
    note_report(console, level.name(), assigner->report());
    return summarize(list, counts, options.stream.few, console);
}

} // namespace bowhist::app
