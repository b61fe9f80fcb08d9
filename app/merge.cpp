// bowhist merge: parts of a run in, what the whole run would have written out.
#include "app/command/options.hpp"
#include "app/command/summary.hpp"
#include "app/library_summary.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/index/merge_libraries.hpp>
#include <bowhist/library/library.hpp>
#include <bowhist/pipeline/merge_parts.hpp>
#include <bowhist/tables/parts/part_file.hpp>

#include <algorithm>

namespace bowhist::app {
namespace {

struct MergeCall {
    std::filesystem::path output;
    std::vector<std::filesystem::path> parts;
    ConsoleOptions console;
};

MergeCall read_call(const Arguments &arguments) {
    MergeCall call;
    Command command(
        "merge", "Puts the parts of a run together.", "-o OUT PART...",
        "  bowhist --centroids c.bin --shard 1/2 -o 1.part photos/\n"
        "  bowhist --centroids c.bin --shard 2/2 -o 2.part photos/\n"
        "  bowhist merge -o histograms.npz 1.part 2.part\n"
        "  bowhist merge -o photos.bow 1.bow 2.bow\n"
        "\n"
        "PART: the files that the runs with --shard wrote, each once, in any order. OUT\n"
        "gets the bytes that the run without --shard writes. Shards of a library make a\n"
        "new library, with the same exports and answers.");
    add_file(command, "-o,--output", call.output,
             "The whole run's output; the ending is the format, as of that run; - is standard "
             "output")
        ->required();
    add_console_options(command, call.console);
    const std::vector<std::string> parts = command.parse(arguments);
    call.parts.assign(parts.begin(), parts.end());
    if (call.output == "-") call.output.clear();
    return call;
}

bool are_libraries(const std::vector<std::filesystem::path> &parts) {
    const auto library = std::ranges::find_if(parts, is_library);
    const auto other = std::ranges::find_if(parts, is_part);
    if (library != parts.end() && other != parts.end())
        throw Error(Fault::input, fmt::format("{} is a library, and {} a part; give the parts of "
                                              "one run",
                                              *library, *other));
    return library != parts.end();
}

int merge_into_library(const MergeCall &call, Console &console) {
    if (call.output.empty())
        throw Error(Fault::usage, "a library is a file; name it: -o photos.bow");
    const IndexRun run = merge_libraries(call.parts, call.output, console);
    console.last_line(library_summary(run));
    return run.skipped > 0 ? 1 : 0;
}

} // namespace

int merge_verb(const Arguments &arguments) {
    const MergeCall call = read_call(arguments);
    Console console(call.console);
    if (are_libraries(call.parts)) return merge_into_library(call, console);
    return summarize(merge_parts(call.parts, call.output, console), console);
}

} // namespace bowhist::app
