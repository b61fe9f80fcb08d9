// bowhist train: images in, a vocabulary out.
#include "app/command/options.hpp"
#include "app/command/summary.hpp"
#include "app/command/team.hpp"
#include "app/command/tree_option.hpp"
#include "app/shared_inputs.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/device/device_selection.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/learn/learn_model.hpp>
#include <bowhist/report/training_plot.hpp>

namespace bowhist::app {
namespace {

enum class Model { words, vlad };

struct TrainCall {
    Model model = Model::words;
    ModelRequest request; ///< of words, its `learn` alone
    std::filesystem::path plot;
    ConsoleOptions console;
};

/// The output has the format of c.bin, which under these endings would be read as something else;
/// and a forgotten name after -o must not cost an image.
CLI::Validator name_for(const Model &model) {
    return {[&model](const std::string &path) -> std::string {
                std::error_code missing; // is no error: the file will be new
                if (path.empty()) return "takes a file's name, and this one is empty";
                if (model == Model::vlad && std::filesystem::path(path).extension() != ".npz")
                    return fmt::format("a model of vlad is an .npz, and {} is not; end it in .npz",
                                       printable(path));
                if (model == Model::vlad) return {};
                if (path == "-" || std::filesystem::is_other(path, missing)) // a pipe, a device
                    return "takes a file's name: a vocabulary is two files, c.bin and c.bin.json";
                bool taken = has_image_ending(path);
                for (const char *ending : {".npy", ".fvecs", ".yml", ".yaml", ".xml", ".csv",
                                           ".npz", ".jsonl", ".svm", ".json"})
                    taken = taken || std::filesystem::path(path).extension() == ending;
                return taken ? fmt::format("{} is another kind of file's name; end it in .bin",
                                           printable(path))
                             : std::string();
            },
            ""};
}

void require_model_options(const LearnRequest &request) {
    if (!request.checkpoint.empty())
        throw Error(Fault::usage, "--checkpoint keeps trainings of words; leave it out");
    if (request.sample == 0)
        throw Error(Fault::usage, "--sample 0 is for words; give --model vlad a number of "
                                  "descriptors, or leave --sample out");
}

/// Shares a training among the ranks of a launcher.
void share_training(TrainCall &call) {
    if (team().size() == 1) return;
    if (!call.request.learn.checkpoint.empty())
        throw Error(Fault::usage, "--checkpoint keeps trainings of one process; leave it out, or "
                                  "start without the launcher");
    if (means_several(call.request.learn.level.device))
        throw Error(Fault::usage, "ranks train on a device each; leave --device out, name one "
                                  "device, or start without the launcher");
    call.request.learn.team = &team();
    share_inputs(call.request.learn.inputs);
}

TrainCall read_call(const Arguments &arguments) {
    TrainCall call;
    Command command(
        "train", "Learns a vocabulary: k-means over the descriptors of pictures.",
        "-k K -o c.bin INPUT...",
        "  bowhist train -k 256 -o c.bin photos/\n"
        "  bowhist train --model vlad -o photos.npz photos/\n"
        "  bowhist train -k 1000 --extractor kaze --upright -o c.bin a.jpg b.jpg d.npy\n"
        "\n"
        "Writes c.bin and, beside it, c.bin.json, how it was made; of --tree c.bin.tree,\n"
        "too. A model of vlad is one file, which makes a code of each picture: see\n"
        "--encode of bowhist --help.");
    LearnRequest &request = call.request.learn;
    const CLI::Option *const words =
        add_number(command, "-k", request.training.k, 1, "Words to learn; of vlad 512", most_words)
            ->type_name("K");
    add_choice<Model>(command, "--model", call.model,
                      {{"words", Model::words}, {"vlad", Model::vlad}},
                      "What to learn: words, or vlad, a model of codes of pictures")
        ->type_name("MODEL");
    add_file(command, "-o,--output", request.output, "The vocabulary to write")
        ->required()
        ->check(name_for(call.model));
    const CLI::Option *const tree = add_tree_option(command, request.training);
    const CLI::Option *const reduce =
        add_number(command, "--reduce", call.request.components, 0,
                   "Of vlad: numbers in a code; 0 keeps rows whole", ModelRequest::most_components)
            ->type_name("D");
    command
        .add_option_function<std::string>(
            "--prepare",
            [&call](const std::string &steps) { call.request.steps = parse_preparation(steps); },
            "Steps before words, with commas: root, whiten[:D], position[:w], scale[:w], "
            "contrast[:w], mirror (default: of vlad "
            "root,whiten:48,position,scale,contrast,mirror)")
        ->type_name("STEPS");
    add_number(command, "--iterations", request.training.iterations, 0,
               "Stop after this many, if words still move", 1'000'000);
    add_number(command, "--seed", request.training.seed, 0,
               "Of the random draws; the same seed, the same vocabulary");
    const CLI::Option *const sample =
        add_number(command, "--sample", request.sample, 0,
                   "Descriptors to learn from, drawn by the seed; 0 takes all; of vlad 200000")
            ->type_name("N");
    const CLI::Option *const frequencies = add_number(
        command, "--idf", request.counted_images, 0,
        "Count words in N pictures, for --normalize tfidf and bm25; they are drawn by the "
        "seed, and read again",
        WordFrequencies::most_images);
    command
        .add_option("--memory", request.memory,
                    "Train within so much, such as 512M or 4G; descriptors that have no room stay "
                    "in the .fbin that `extract` wrote (default: half of what is free)")
        ->transform(size_in_bytes())
        ->type_name("SIZE");
    std::vector<std::pair<std::string, Start>> choices;
    for (const Start start : starts) choices.emplace_back(name_of(start), start);
    add_choice<Start>(
        command, "--init", request.training.start, choices,
        "Where words start: sampled (k-means++ among 32 descriptors per word; of more than 65536 "
        "words random ones that differ), greedy (among all), random")
        ->type_name("START");
    add_number(command, "--restarts", request.training.restarts, 1,
               "Trainings, from this seed and the next ones; the best is kept", 1000);
    add_file(command, "--plot", call.plot, "Draw inertia and moves by iteration (.svg)")
        ->check(ends_in({".svg"}));
    add_file(command, "--checkpoint", request.checkpoint,
             "Keep the training there every few seconds, at Ctrl-C with what was extracted, and "
             "resume from it (.npz)")
        ->check(ends_in({".npz"}));
    add_level_options(command, request.level);
    add_recipe_options(command, request.recipe);
    add_input_options(command, request.inputs);
    add_stream_options(command, request.stream);
    add_console_options(command, call.console);
    request.inputs.arguments = command.parse(arguments);
    if (given(tree))
        require_tree_sense(request, given(words), call.model == Model::vlad, call.plot);
    if (call.model == Model::vlad) {
        if (!given(words)) request.training.k = ModelRequest::usual_words;
        if (!given(sample)) request.sample = ModelRequest::usual_sample;
        if (given(frequencies))
            throw Error(Fault::usage, "--idf is for words; leave it out, or --model vlad");
        require_model_options(request);
    } else if (given(reduce)) {
        throw Error(Fault::usage, "--reduce is for --model vlad; give that, or leave it out");
    } else if (call.request.steps) {
        request.steps = *call.request.steps;
        if (!request.checkpoint.empty() && !request.steps.empty())
            throw Error(Fault::usage, "--checkpoint keeps descriptors as they are extracted, "
                                      "without --prepare; leave one out");
    }
    if (request.counted_images > 0 && request.training.k > WordFrequencies::most_words)
        throw Error(Fault::usage,
                    fmt::format("--idf counts {} words at most; lower -k, or leave it out",
                                WordFrequencies::most_words));
    if (0 < request.sample && request.sample < request.training.k)
        throw Error(
            Fault::usage,
            fmt::format("--sample {} draws fewer descriptors than {} {}; raise it, or {}",
                        request.sample, given(tree) ? "the leaves of --tree," : "-k",
                        request.training.k,
                        call.model == Model::vlad ? "lower -k" : "give --sample 0 for all"));
    if (!request.checkpoint.empty() && request.training.restarts > 1)
        throw Error(Fault::usage, "--checkpoint keeps one training; leave --restarts out");
    if (!call.plot.empty()) request.further_outputs = {call.plot};
    share_training(call);
    return call;
}

} // namespace

int train_verb(const Arguments &arguments) {
    const TrainCall call = read_call(arguments);
    Console console(call.console);
    std::optional<AtomicFile> plot; // what cannot be written ends the run before the work
    if (!call.plot.empty() && team().rank() == 0) plot.emplace(call.plot);
    const LearnRun run = call.model == Model::vlad ? learn_model(call.request, console)
                                                   : learn(call.request.learn, console);
    const Training &training = run.training;
    console.note(fmt::format("{} iterations, inertia {:.6g}{}", training.iterations,
                             training.inertia,
                             training.iterations == call.request.learn.training.iterations
                                 ? "; words may still move, see --iterations"
                                 : ""));
    note_report(console, run.level.name(), training.report);
    if (training.tree)
        console.line(fmt::format("{}, the leaves of {}",
                                 counted(training.vocabulary.size(), "word"),
                                 as_branches(call.request.learn.training.branches)));
    console.gather_lines();
    if (plot) write_training_plot(*plot, training.course);
    return summarize(run.inputs, console);
}

} // namespace bowhist::app
