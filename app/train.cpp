// bowhist train: pictures in, a vocabulary out.
#include "app/checkpoint.hpp"
#include "app/few_descriptors.hpp"
#include "app/gathered_rows.hpp"
#include "app/options.hpp"
#include "app/output_check.hpp"
#include "app/summary.hpp"

#include <bowhist/assign/choose/host_time.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/core/version.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/report/training_plot.hpp>
#include <bowhist/tables/vocabulary_pair.hpp>
#include <bowhist/train/kmeans.hpp>

namespace bowhist::app {
namespace {

struct TrainCall {
    std::filesystem::path output;
    TrainOptions training;
    InputSource source;
    RecipeRequest recipe;
    StreamOptions stream;
    std::filesystem::path plot;
    std::filesystem::path checkpoint;
    std::size_t sample = 1'000'000; ///< descriptors to learn from; 0: all
    std::uint64_t memory = 0;       ///< bytes of all that the program holds; 0: nobody asked
    LevelRequest level;
    ConsoleOptions console;
};

/// What is written is c.bin's bytes, which under these endings would be read as something else; and
/// a forgotten name after -o must not cost a picture.
CLI::Validator c_bin_name() {
    return {[](const std::string &path) -> std::string {
                std::error_code missing; // is no error: the file will be new
                if (path.empty()) return "takes a file's name, and this one is empty";
                if (path == "-" || std::filesystem::is_other(path, missing)) // a pipe, a device
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

Paths outputs_of(const TrainCall &call) {
    Paths outputs{call.output, sidecar_path(call.output)};
    for (const auto &file : {call.plot, call.checkpoint})
        if (!file.empty()) outputs.push_back(file);
    return outputs;
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
    add_number(command, "-k", call.training.k, 1, "Words to learn", most_words)->type_name("K");
    add_file(command, "-o,--output", call.output, "The vocabulary to write")
        ->required()
        ->check(c_bin_name());
    add_number(command, "--iterations", call.training.iterations, 0,
               "Stop after this many, if words still move", 1'000'000);
    add_number(command, "--seed", call.training.seed, 0,
               "Of the random draws; the same seed, the same vocabulary");
    add_number(command, "--sample", call.sample, 0,
               "Descriptors to learn from, drawn by the seed; 0 takes all")
        ->type_name("N");
    command
        .add_option("--memory", call.memory,
                    "Train within so much, such as 512M or 4G; descriptors that have no room stay "
                    "in the .fbin that `extract` wrote (default: half of what is free)")
        ->transform(size_in_bytes())
        ->type_name("SIZE");
    std::vector<std::pair<std::string, Start>> choices;
    for (const Start start : starts) choices.emplace_back(name_of(start), start);
    add_choice<Start>(
        command, "--init", call.training.start, choices,
        "Where words start: sampled (k-means++ among 32 descriptors per word), greedy "
        "(among all), random")
        ->type_name("START");
    add_number(command, "--restarts", call.training.restarts, 1,
               "Train so often, from this seed and the next ones, and keep the best", 1000);
    add_file(command, "--plot", call.plot, "Draw inertia and moves by iteration (.svg)")
        ->check(ends_in({".svg"}));
    add_file(command, "--checkpoint", call.checkpoint,
             "Keep the training there every few seconds, at Ctrl-C with what was extracted, and "
             "go on from there (.npz)")
        ->check(ends_in({".npz"}));
    add_level_options(command, call.level);
    add_recipe_options(command, call.recipe);
    add_input_options(command, call.source);
    add_stream_options(command, call.stream);
    add_console_options(command, call.console);
    call.source.arguments = command.parse(arguments);
    if (0 < call.sample && call.sample < call.training.k)
        throw Error(Fault::usage,
                    fmt::format("--sample {} draws fewer descriptors than -k {}; raise it, or give "
                                "--sample 0 for all",
                                call.sample, call.training.k));
    if (!call.checkpoint.empty() && call.training.restarts > 1)
        throw Error(Fault::usage, "--checkpoint keeps one training; leave --restarts out");
    check_outputs(outputs_of(call), call.source.list);
    return call;
}

/// Descriptors to learn from, and how they were made.
struct TrainingSet {
    GatheredRows gathered;
    Recipe made_by = Recipe::imported();
    InputList list;
    std::size_t few = 0;
    Recipe recipe = {}; ///< that pictures were extracted by
};

TrainingSet gather(const TrainCall &call, bool on_device, Checkpoint &checkpoint,
                   Observer &observer) {
    const PreparedRecipe recipe(call.recipe);
    TrainingSet set;
    set.list = list_given_inputs(call.source, call.stream.strict, observer);
    check_outputs(outputs_of(call), set.list);
    StreamOptions options = recipe.options_for(
        set.list, call.stream, {call.level.device, call.level.kernel_dir}, observer);
    if (any_picture(set.list)) options.made_by = set.made_by = recipe.recipe();
    set.few = options.few;
    set.recipe = recipe.recipe();
    set.gathered =
        gather_rows({call.memory, call.sample, &call.training, on_device, call.stream.threads},
                    set.list, set.recipe, recipe.extractor(), options, checkpoint, observer);
    if (set.gathered.made_by && !set.made_by.is_known())
        set.made_by = completed(*set.gathered.made_by);
    return set;
}

/// At most, of all iterations; the greedy start takes as many distances as one.
double assignments(std::size_t rows, const TrainOptions &options) {
    return static_cast<double>(rows) * options.restarts *
           (options.iterations + (options.start == Start::greedy ? 1 : 0));
}

} // namespace

int train_verb(const Arguments &arguments) {
    TrainCall call = read_call(arguments);
    Console console(call.console);
    call.level.options.threads = call.stream.threads;
    call.level.options.observer = &console;
    // Before any picture is opened: a level, device or file that cannot be had ends the run at
    // once. auto needs to know how much there is to do; it chooses later.
    constexpr std::size_t usual_dimensions = 64;
    const bool is_auto = call.level.level == "auto";
    call.level.host_seconds = 0;
    LevelChoice level;
    if (!is_auto || !call.level.device.empty())
        level = choose_level(call.level, usual_dimensions, call.training.k);
    const AtomicFile writable(call.output);
    const AtomicFile sidecar_writable(sidecar_path(call.output));
    std::optional<AtomicFile> plot;
    if (!call.plot.empty()) plot.emplace(call.plot);

    Checkpoint checkpoint(call.checkpoint, console);
    TrainingSet set = gather(call, is_auto || level.level->on_device, checkpoint, console);
    GatheredRows &gathered = set.gathered;
    if (gathered.rows->size() == 0) fail_without_descriptors(set.list, gathered.counts, set.recipe);
    const std::size_t size = gathered.rows->size();
    const std::size_t dimensions = gathered.rows->dimensions();
    console.note(
        fmt::format("{} descriptors of {} dimensions{}{}", size, dimensions,
                    gathered.seen > size ? fmt::format(", drawn from {}", gathered.seen) : "",
                    gathered.in_memory ? "" : ", which stay in their files"));
    const Training training = keeping(gathered, call.training, checkpoint, [&] {
        call.level.host_seconds =
            host_seconds(call.level, dimensions, call.training.k, assignments(size, call.training));
        if (is_auto || dimensions != usual_dimensions)
            level = choose_level(call.level, dimensions, call.training.k);
        console.note(fmt::format("assigning with {}", level.name()));
        warn_of_unused_device(call.level, level,
                              set.recipe.preprocessing.any() && any_picture(set.list), console);
        checkpoint.attach(*gathered.rows, call.training);
        return train(*gathered.rows, call.training, level, console);
    });
    console.note(fmt::format(
        "{} iterations, inertia {:.6g}{}", training.iterations, training.inertia,
        training.iterations == call.training.iterations ? "; words may still move, see --iterations"
                                                        : ""));
    note_report(console, level.name(), training.report);
    write_vocabulary_pair(call.output, training.vocabulary,
                          {set.made_by, call.training.seed, training.iterations, training.inertia,
                           size, fingerprint(training.vocabulary), std::string(version()),
                           gathered.seen, std::string(name_of(call.training.start)),
                           training.course});
    if (plot) write_training_plot(*plot, training.course);
    return summarize(set.list, gathered.counts, set.few, set.recipe, console);
}

} // namespace bowhist::app
