// bowhist assign: descriptors in, words out.
#include "app/command/options.hpp"
#include "app/command/summary.hpp"
#include "app/command/team_parts.hpp"
#include "app/command/tree_option.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/pipeline/assign.hpp>

namespace bowhist::app {
namespace {

struct AssignCall {
    AssignRequest request;
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
        "words.npy holds int32, the inputs' rows one after another; - is standard output.\n"
        "Descriptors are prepared as the vocabulary's were; with mirror, the words of an\n"
        "input's mirrored rows follow those of its rows.");
    AssignRequest &request = call.request;
    request.inputs.descriptors_only = true;
    add_file(command, "--centroids", request.centroids,
             "The vocabulary, as `bowhist train` writes it")
        ->required();
    add_file(command, "-o,--output", request.output,
             "The words to write (.npy; or -; with --shard .part)")
        ->required()
        ->check(dash_or_ends_in({".npy", ".part"}));
    add_descend_option(command, request.descends);
    add_input_options(command, request.inputs);
    add_shard_option(command, request.shard);
    add_thread_option(command, request.level.options.threads);
    add_strict_option(command, request.strict);
    add_level_options(command, request.level);
    add_console_options(command, call.console);
    request.inputs.arguments = command.parse(arguments);
    if (request.output == "-") request.output.clear();
    require_shard_output(request.shard, request.output);
    if (request.inputs.arguments.empty() && request.inputs.list.empty())
        throw Error(Fault::usage,
                    "there are no DESCRIPTORS; name .npy, .npz, .fvecs or .fbin files, or "
                    "folders of them");
    return call;
}

} // namespace

int assign_verb(const Arguments &arguments) {
    AssignCall call = read_call(arguments);
    Console console(call.console);
    if (team().size() > 1)
        return share_among_ranks(call.request, console, [&] {
            if (const auto part = assign(call.request, console).part)
                note_report(console, part->level.name(), part->report);
        });
    const AssignRun run = assign(call.request, console);
    if (!run.part) return summarize(run.inputs, console, already_complete);
    note_report(console, run.part->level.name(), run.part->report);
    return summarize(run.inputs, console);
}

} // namespace bowhist::app
