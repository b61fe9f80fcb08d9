// bowhist train: pictures in, a vocabulary out.
#include "app/options.hpp"
#include "app/output_check.hpp"
#include "app/report_level.hpp"
#include "app/summary.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/core/version.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/tables/vocabulary_pair.hpp>
#include <bowhist/train/kmeans.hpp>

#include <fmt/format.h>

namespace bowhist::app {
namespace {

struct TrainCall {
    std::filesystem::path output;
    TrainOptions training;
    InputSource source;
    ExtractorChoice extractor;
    StreamOptions stream;
    LevelRequest level;
    ConsoleOptions console;
};

/// What is written is c.bin's bytes, which under these endings would be read as something else; and
/// a forgotten name after -o must not cost a picture.
CLI::Validator c_bin_name() {
    return {[](const std::string &path) -> std::string {
                if (path == "-")
                    return "takes a file's name: a vocabulary is two files, c.bin and c.bin.json";
                bool taken = has_picture_ending(path);
                for (const char *ending : {".npy", ".fvecs", ".yml", ".yaml", ".xml", ".csv",
                                           ".npz", ".jsonl", ".svm", ".json"})
                    taken = taken || std::filesystem::path(path).extension() == ending;
                return taken ? fmt::format("{} is another kind of file's name; end it in .bin",
                                           printable(path))
                             : std::string();
            },
            ""};
}

TrainCall read_call(const Arguments &arguments) {
    TrainCall call;
    Command command(
        "train", "Learns a vocabulary: k-means over the descriptors of pictures.",
        "-k K -o c.bin INPUT...",
        "  bowhist train -k 256 -o c.bin photos/\n"
        "  bowhist train -k 1000 --extractor kaze --upright -o c.bin a.jpg b.jpg d.npy\n"
        "\n"
        "Writes c.bin and, beside it, c.bin.json, which tells how it was made.");
    command.add_option("-k", call.training.k, "Words to learn")
        ->check(whole_number(1))
        ->type_name("K")
        ->capture_default_str();
    command.add_option("-o,--output", call.output, "The vocabulary to write")
        ->required()
        ->check(c_bin_name())
        ->type_name("FILE");
    command
        .add_option("--iterations", call.training.iterations,
                    "Stop after this many, if words still move")
        ->check(whole_number(0, 1'000'000))
        ->type_name("N")
        ->capture_default_str();
    command
        .add_option("--seed", call.training.seed,
                    "Of the random draws; the same seed, the same vocabulary")
        ->check(whole_number(0))
        ->type_name("N")
        ->capture_default_str();
    add_level_options(command, call.level);
    add_extractor_options(command, call.extractor);
    add_input_options(command, call.source);
    add_stream_options(command, call.stream);
    add_console_options(command, call.console);
    call.source.arguments = command.parse(arguments);
    for (const auto &file : {call.output, sidecar_path(call.output)})
        check_not_input(file, call.source.list);
    return call;
}

/// All descriptors in one piece, and how they were made.
struct TrainingSet {
    Descriptors descriptors;
    ExtractorRecord made_by{.extractor = "imported"};
    InputList list;
    StreamCounts counts;
};

TrainingSet gather(const TrainCall &call, std::size_t few, Observer &observer) {
    const ExtractorRecord &record = call.extractor.record;
    const auto extractor = make_extractor(extractor_options(record));
    InputList list = list_given_inputs(call.source, call.stream.strict, observer);
    for (const auto &file : {call.output, sidecar_path(call.output)}) check_not_input(file, list);
    StreamOptions options = call.stream;
    options.few = few;
    options.picture.max_side = record.max_side;
    options.preprocessor =
        preprocessor_for(list, record.preprocessing, call.extractor.preprocessing_given,
                         {call.level.device, call.level.kernel_dir}, observer);
    TrainingSet set;
    if (any_picture(list)) set.made_by = record;
    if (any_picture(list)) options.made_by = record;
    set.counts =
        stream_descriptors(list.inputs, *extractor, options, observer, [&](Described &&described) {
            if (described.extractor && set.made_by.extractor == "imported")
                set.made_by = *described.extractor;
            if (described.descriptors.size() == 0) return;
            set.descriptors.dimensions = described.descriptors.dimensions;
            set.descriptors.values.insert(set.descriptors.values.end(),
                                          described.descriptors.values.begin(),
                                          described.descriptors.values.end());
        });
    set.list = std::move(list);
    return set;
}

VocabularySidecar sidecar_of(const TrainCall &call, const TrainingSet &set,
                             const Training &training) {
    VocabularySidecar sidecar;
    sidecar.extractor = with_threshold(set.made_by);
    sidecar.seed = call.training.seed;
    sidecar.iterations = training.iterations;
    sidecar.inertia = training.inertia;
    sidecar.descriptors = set.descriptors.size();
    sidecar.fingerprint = fingerprint(training.vocabulary);
    sidecar.version = version();
    return sidecar;
}

} // namespace

int train_verb(const Arguments &arguments) {
    TrainCall call = read_call(arguments);
    Console console(call.console);
    call.level.options.threads = call.stream.threads;
    call.level.options.observer = &console;
    // Before any picture is opened: a level, device or file that cannot be had is told at once.
    constexpr std::size_t usual_dimensions = 64;
    LevelChoice level = choose_level(call.level, usual_dimensions, call.training.k);
    const AtomicFile writable(call.output);
    const AtomicFile sidecar_writable(sidecar_path(call.output));

    const std::size_t few = few_descriptors(call.extractor.record.max_descriptors);
    const TrainingSet set = gather(call, few, console);
    const std::size_t dimensions = set.descriptors.dimensions;
    console.note(
        fmt::format("{} descriptors of {} dimensions", set.descriptors.size(), dimensions));
    if (set.descriptors.size() > 0 && dimensions != usual_dimensions)
        level = choose_level(call.level, dimensions, call.training.k);
    console.note(fmt::format("assigning with {}", level.name()));
    const Training training = train(set.descriptors, call.training, level, console);
    console.note(fmt::format(
        "{} iterations, inertia {:.6g}{}", training.iterations, training.inertia,
        training.iterations == call.training.iterations ? "; words may still move, see --iterations"
                                                        : ""));
    note_report(console, level.name(), training.report);
    write_vocabulary_pair(call.output, training.vocabulary, sidecar_of(call, set, training));
    return summarize(set.list, set.counts, few, console);
}

} // namespace bowhist::app
