// bowhist train: pictures in, a vocabulary out.
#include "app/options.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/version.hpp>
#include <bowhist/files/descriptor_file.hpp>
#include <bowhist/files/vocabulary_file.hpp>
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

TrainCall read_call(const Arguments &arguments) {
    TrainCall call;
    Command command(
        "train", "Learns a vocabulary: k-means over the descriptors of pictures.",
        "-k K -o c.bin INPUT...",
        "  bowhist train -k 256 -o c.bin photos/\n"
        "  bowhist train -k 1000 --extractor kaze --upright -o c.bin a.jpg b.jpg descriptors.npy\n"
        "\n"
        "Writes c.bin and, beside it, c.bin.json, which tells how it was made.");
    command.add_option("-k", call.training.k, "Words to learn")
        ->check(CLI::PositiveNumber.description(""))
        ->type_name("K")
        ->capture_default_str();
    command.add_option("-o,--output", call.output, "The vocabulary to write")
        ->required()
        ->type_name("FILE");
    command
        .add_option("--iterations", call.training.iterations,
                    "Stop after this many, if words still move")
        ->check(CLI::NonNegativeNumber.description(""))
        ->type_name("N")
        ->capture_default_str();
    command
        .add_option("--seed", call.training.seed,
                    "Of the random draws; the same seed, the same vocabulary")
        ->type_name("N")
        ->capture_default_str();
    add_level_options(command, call.level);
    add_extractor_options(command, call.extractor);
    add_input_options(command, call.source);
    add_stream_options(command, call.stream);
    add_console_options(command, call.console);
    call.source.arguments = command.parse(arguments);
    return call;
}

/// All descriptors in one piece, and how they were made.
struct TrainingSet {
    Descriptors descriptors;
    ExtractorRecord made_by;
    std::size_t skipped = 0;
};

TrainingSet gather(const TrainCall &call, Observer &observer) {
    const auto extractor = make_extractor(extractor_options(call.extractor.record));
    const InputList list = list_inputs(call.source, observer);
    StreamOptions options = call.stream;
    options.picture.max_side = call.extractor.record.max_side;
    TrainingSet set;
    bool first = true;
    set.skipped =
        list.skipped +
        stream_descriptors(list.inputs, *extractor, options, observer, [&](Described &&described) {
            const bool imported = is_descriptor_file(described.input.path);
            const ExtractorRecord made_by =
                !imported ? call.extractor.record
                          : described.extractor.value_or(ExtractorRecord{.extractor = "imported"});
            if (!first && !made_by.comparable(set.made_by))
                throw Error(
                    Fault::input,
                    fmt::format("{} was made with {}, the others with {}; train on descriptors "
                                "of one kind",
                                described.image, as_options(made_by), as_options(set.made_by)));
            first = false;
            set.made_by = made_by;
            if (described.descriptors.size() == 0) return;
            set.descriptors.dimensions = described.descriptors.dimensions;
            set.descriptors.values.insert(set.descriptors.values.end(),
                                          described.descriptors.values.begin(),
                                          described.descriptors.values.end());
        });
    return set;
}

} // namespace

int train_verb(const Arguments &arguments) {
    TrainCall call = read_call(arguments);
    Console console(call.console);
    const TrainingSet set = gather(call, console);
    console.note(fmt::format("{} descriptors of {} dimensions", set.descriptors.size(),
                             set.descriptors.dimensions));
    call.level.options.threads = call.stream.threads;
    const LevelChoice level = choose_level(
        call.level, std::max<std::size_t>(1, set.descriptors.dimensions), call.training.k);
    console.note(fmt::format("assigning with {}", level.name()));
    const Training training = train(set.descriptors, call.training, level, console);

    VocabularySidecar sidecar;
    sidecar.extractor = set.made_by;
    sidecar.seed = call.training.seed;
    sidecar.iterations = training.iterations;
    sidecar.inertia = training.inertia;
    sidecar.descriptors = set.descriptors.size();
    sidecar.fingerprint = fingerprint(training.vocabulary);
    sidecar.version = version();
    write_vocabulary(call.output, training.vocabulary);
    write_sidecar(call.output, sidecar);
    return set.skipped > 0 ? 1 : 0;
}

} // namespace bowhist::app
