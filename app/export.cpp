// bowhist export: a library in, its histograms or codes out.
#include "app/command/options.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/library/library.hpp>
#include <bowhist/library/points.hpp>

namespace bowhist::app {
namespace {

struct ExportCall {
    ExportRequest request;
    ConsoleOptions console;
};

ExportCall read_call(const Arguments &arguments) {
    ExportCall call;
    Command command("export", "Writes the histograms or codes of a library.", "photos.bow",
                    "  bowhist export photos.bow -o histograms.npz\n"
                    "  bowhist export photos.bow --what code --where '*/2024/*' > codes.csv\n"
                    "  bowhist export photos.bow -o points.qdrant.jsonl\n"
                    "\n"
                    "Rows are in the order of their paths' bytes. Pictures that are gone have "
                    "none.");
    ExportRequest &request = call.request;
    add_file(command, "-o,--output", request.output,
             "The ending is the format: .csv .npy .npz .jsonl .svm .fbin .fvecs "
             "(without it, or for -, CSV to standard output); for vector databases .qdrant.jsonl "
             ".milvus.jsonl");
    add_choice<std::optional<ExportWhat>>(
        command, "--what", request.what, {{"words", ExportWhat::words}, {"code", ExportWhat::code}},
        "words, how often each word occurs, or code (default: words; of points both)")
        ->type_name("WHAT");
    command
        .add_option("--where", request.glob,
                    "Only pictures whose whole path matches; * matches slashes, too")
        ->type_name("GLOB");
    const CLI::Option *const normalize = add_normalization_option(command, request.normalization);
    add_console_options(command, call.console);
    const auto operands = command.parse(arguments);
    if (operands.size() != 1)
        throw Error(Fault::usage, "export takes one library: bowhist export photos.bow -o h.npz");
    request.library = operands.front();
    if (weighs(request.normalization))
        throw Error(Fault::usage, "a library has no weights of words; leave --normalize " +
                                      std::string(name_of(request.normalization)) +
                                      " out, or weigh the counts that export writes");
    if (given(normalize) && points_format(request.output))
        throw Error(Fault::usage, "points have words of unit length by their roots; leave "
                                  "--normalize out");
    if (given(normalize) && request.what == ExportWhat::code)
        throw Error(Fault::usage, "--normalize is for words, and codes have their own scale; leave "
                                  "it out");
    if (request.output == "-") request.output.clear();
    return call;
}

} // namespace

int export_verb(const Arguments &arguments) {
    const ExportCall call = read_call(arguments);
    Console console(call.console);
    const std::size_t rows = export_library(call.request, console);
    if (rows == 0 && !call.request.glob.empty())
        console.warning(fmt::format("no picture has a path that matches --where {}, all of it; for "
                                    "a part of the path write '*PART*'",
                                    printable(call.request.glob)));
    console.last_line(counted(rows, "row"));
    return 0;
}

} // namespace bowhist::app
