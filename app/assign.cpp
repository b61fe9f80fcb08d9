// bowhist assign: descriptors in, words out.
#include "app/options.hpp"
#include "app/output_check.hpp"
#include "app/summary.hpp"

#include <bowhist/assign/choose/host_time.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/tables/descriptor_file.hpp>
#include <bowhist/tables/sidecar.hpp>
#include <bowhist/tables/vocabulary_pair.hpp>
#include <bowhist/tables/words_file.hpp>

namespace bowhist::app {
namespace {

struct AssignCall {
    std::filesystem::path centroids;
    std::filesystem::path output;
    bool strict = false;
    int threads = 0;
    InputSource source{.descriptors_only = true};
    LevelRequest level;
    ConsoleOptions console;
};

AssignCall read_call(const Arguments &arguments) {
    AssignCall call;
    Command command(
        "assign", "Assigns each descriptor to its nearest centroid.",
        "--centroids FILE -o words.npy DESCRIPTORS...",
        "  bowhist assign --centroids c.bin -o words.npy a.npy b.fvecs\n"
        "  bowhist assign --centroids c.bin -o words.npy --kernel gpu2 -v descriptors/\n"
        "\n"
        "DESCRIPTORS: .npy (n x D float32), .npz, .fvecs, .fbin, or folders of them.\n"
        "words.npy holds int32, the inputs' rows one after another; - is standard output.");
    add_file(command, "--centroids", call.centroids, "The vocabulary, as `bowhist train` writes it")
        ->required();
    add_file(command, "-o,--output", call.output, "The words to write (.npy; or -)")
        ->required()
        ->check(dash_or_ends_in({".npy"}));
    add_input_options(command, call.source);
    add_thread_option(command, call.threads);
    add_strict_option(command, call.strict);
    add_level_options(command, call.level);
    add_console_options(command, call.console);
    call.source.arguments = command.parse(arguments);
    if (call.output == "-") call.output.clear();
    for (const auto &input : {call.centroids, call.source.list})
        check_outputs({call.output}, input);
    if (call.source.arguments.empty() && call.source.list.empty())
        throw Error(Fault::usage,
                    "there are no DESCRIPTORS; name .npy, .npz, .fvecs or .fbin files, or "
                    "folders of them");
    return call;
}

/// Descriptors of the vocabulary's dimension, which nothing says were made otherwise.
Descriptors read_fitting(const Input &input, const AssignCall &call, const VocabularyPair &pair) {
    auto [descriptors, told] = load_descriptors(input);
    const std::string name = printable(input.path);
    const std::string vocabulary = printable(call.centroids);
    if (descriptors.size() > 0 && descriptors.dimensions != pair.vocabulary.dimensions)
        throw Error(Fault::input,
                    fmt::format("{}: its descriptors have {} dimensions, {} has {}", name,
                                descriptors.dimensions, vocabulary, pair.vocabulary.dimensions));
    const bool both_known = told && told->recipe.is_known() && pair.told.recipe();
    if (both_known && !told->recipe.comparable(*pair.told.recipe()))
        throw Error(Fault::input,
                    fmt::format("{}: made with --extractor {}, but {} with {}; extract it again",
                                name, as_options(told->recipe), vocabulary,
                                as_options(*pair.told.recipe())));
    return std::move(descriptors);
}

/// About: what the files hold, were it all floats.
double rows_in_files(const InputList &list, std::size_t dimensions) {
    double bytes = 0;
    const std::filesystem::path *last = nullptr;
    for (const Input &input : list.inputs) {
        std::error_code unknown; // reading the file names the reason
        const auto size = std::filesystem::file_size(input.path, unknown);
        const bool is_again = last != nullptr && *last == input.path; // more of a collection
        if (!unknown && !is_again) bytes += static_cast<double>(size);
        last = &input.path;
    }
    return bytes / static_cast<double>(sizeof(float) * dimensions);
}

} // namespace

int assign_verb(const Arguments &arguments) {
    AssignCall call = read_call(arguments);
    Console console(call.console);
    const VocabularyPair pair = read_vocabulary_pair(call.centroids);
    const Vocabulary &vocabulary = pair.vocabulary;
    const InputList list = list_given_inputs(call.source, call.strict, console);
    check_outputs({call.output}, list);
    call.level.options.threads = call.threads;
    call.level.options.observer = &console;
    call.level.host_seconds = host_seconds(call.level, vocabulary.dimensions, vocabulary.size(),
                                           rows_in_files(list, vocabulary.dimensions));
    const LevelChoice level = choose_level(call.level, vocabulary.dimensions, vocabulary.size());
    warn_of_unused_device(call.level, level, false, console);
    const auto assigner = level.prepare(vocabulary);
    WordsFile words(call.output);
    constexpr std::size_t batch = 1 << 24; // floats: 64 MiB
    std::vector<float> waiting;            // of files that share a launch
    const auto assign = [&](std::span<const float> rows) {
        words.write(assigner->run({rows, {}, 1}).words);
    };
    const auto assign_waiting = [&] {
        assign(waiting);
        waiting.clear();
    };
    StreamCounts counts;
    SkippedInputs skipped(console);
    for (const Input &input : list.inputs) {
        console.stop_if_interrupted();
        try {
            const Descriptors descriptors = read_fitting(input, call, pair);
            const std::vector<float> &rows = descriptors.values;
            if (waiting.size() + rows.size() > batch) assign_waiting();
            if (rows.size() >= batch)
                assign(rows); // a file that large is not copied
            else
                waiting.insert(waiting.end(), rows.begin(), rows.end());
            ++counts.read;
        } catch (const Error &error) {
            if (error.fault != Fault::input || call.strict) throw;
            skipped.tell(input, error);
            ++counts.skipped;
        }
        console.progress("files", counts.read + counts.skipped, list.inputs.size());
    }
    assign_waiting();
    words.finish();
    note_report(console, level.name(), assigner->report());
    return summarize(list, counts, 0, Recipe::imported(), console);
}

} // namespace bowhist::app
