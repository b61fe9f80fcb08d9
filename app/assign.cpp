// bowhist assign: descriptors in, words out.
#include "app/options.hpp"
#include "app/output_check.hpp"
#include "app/report_level.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/files/descriptor_file.hpp>
#include <bowhist/files/vocabulary_file.hpp>
#include <bowhist/files/words_file.hpp>

#include <fmt/format.h>

namespace bowhist::app {
namespace {

struct AssignCall {
    std::filesystem::path centroids;
    std::filesystem::path output;
    bool strict = false;
    int threads = 0;
    std::vector<std::string> descriptors;
    LevelRequest level;
    ConsoleOptions console;
};

AssignCall read_call(const Arguments &arguments) {
    AssignCall call;
    Command command(
        "assign", "Assigns each descriptor to its nearest centroid.",
        "--centroids FILE -o words.npy DESCRIPTORS...",
        "  bowhist assign --centroids c.bin -o words.npy a.npy b.fvecs\n"
        "  bowhist assign --centroids c.bin -o words.npy --kernel gpu2 -v descriptors.npy\n"
        "\n"
        "DESCRIPTORS: .npy (n x D float32), .fvecs, .fbin. words.npy holds int32, the\n"
        "inputs' rows one after another.");
    command
        .add_option("--centroids", call.centroids, "The vocabulary, as `bowhist train` writes it")
        ->required()
        ->type_name("FILE");
    command.add_option("-o,--output", call.output, "The words to write (.npy)")
        ->required()
        ->check(ends_in({".npy"}))
        ->type_name("FILE");
    add_thread_option(command, call.threads);
    add_strict_option(command, call.strict);
    add_level_options(command, call.level);
    add_console_options(command, call.console);
    call.descriptors = command.parse(arguments);
    for (const std::string &input : call.descriptors) check_not_input(call.output, input);
    check_not_input(call.output, call.centroids);
    if (call.descriptors.empty())
        throw Error(Fault::usage, "there are no DESCRIPTORS; name .npy, .fvecs or .fbin files");
    return call;
}

Descriptors read_fitting(const std::filesystem::path &path, const AssignCall &call,
                         const Vocabulary &vocabulary) {
    Descriptors descriptors = read_descriptors(path);
    if (descriptors.size() > 0 && descriptors.dimensions != vocabulary.dimensions)
        throw Error(Fault::input, fmt::format("{}: its descriptors have {} dimensions, {} has {}",
                                              printable(path), descriptors.dimensions,
                                              printable(call.centroids), vocabulary.dimensions));
    return descriptors;
}

} // namespace

int assign_verb(const Arguments &arguments) {
    AssignCall call = read_call(arguments);
    Console console(call.console);
    const Vocabulary vocabulary = read_vocabulary(call.centroids);
    call.level.options.threads = call.threads;
    call.level.options.observer = &console;
    const LevelChoice level = choose_level(call.level, vocabulary.dimensions, vocabulary.size());
    warn_of_unused_kernels(call.level, level, console);
    const auto assigner = level.prepare(vocabulary);
    WordsFile words(call.output);
    std::size_t skipped = 0;
    for (std::size_t file = 0; file < call.descriptors.size(); ++file) {
        console.stop_if_interrupted();
        try {
            const Descriptors descriptors = read_fitting(call.descriptors[file], call, vocabulary);
            words.write(assigner->run({descriptors.values, {}, 1}).words);
        } catch (const Error &error) {
            if (error.fault != Fault::input || call.strict) throw;
            console.skipped(error.what());
            ++skipped;
        }
        console.progress("files", file + 1, call.descriptors.size());
    }
    words.finish();
    note_report(console, level.name(), assigner->report());
    return skipped > 0 ? 1 : 0;
}

} // namespace bowhist::app
