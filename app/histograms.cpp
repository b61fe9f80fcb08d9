// bowhist --centroids c.bin INPUT...: images in, histograms out.
#include "app/command/options.hpp"
#include "app/command/summary.hpp"
#include "app/command/team_parts.hpp"
#include "app/command/tree_option.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/pipeline/make_codes.hpp>
#include <bowhist/pipeline/make_soft_words.hpp>
#include <bowhist/tables/vocabulary/model_file.hpp>

namespace bowhist::app {
namespace {

enum class Encoding { own, bow, soft, pyramid, vlad };

struct HistogramCall {
    HistogramRequest request;
    Encoding encoding = Encoding::own; ///< own, once it is read, no longer
    CellGrids cells = whole_image;
    std::size_t nearest = 5; ///< words of a descriptor, of soft
    ConsoleOptions console;
};

/// Settles what the file makes. @throws Error{Fault::usage} where that is not what was asked for
void settle_encoding(HistogramCall &call, bool normalizes) {
    const std::filesystem::path &file = call.request.centroids;
    const Encoding own = holds_model(file) ? Encoding::vlad : Encoding::bow;
    if (call.encoding == Encoding::own) call.encoding = own;
    if ((call.encoding == Encoding::vlad) != (own == Encoding::vlad))
        throw Error(Fault::usage,
                    own == Encoding::bow
                        ? fmt::format("{} is a vocabulary, which makes --encode bow, soft or "
                                      "pyramid; learn a model of codes: bowhist train --model "
                                      "vlad -o photos.npz INPUT...",
                                      file)
                        : fmt::format("{} is a model of codes, which makes --encode vlad; give a "
                                      "vocabulary, c.bin, for bow",
                                      file));
    if (normalizes && own == Encoding::vlad)
        throw Error(Fault::usage, "--normalize is for histograms, and codes have their own scale; "
                                  "leave it out");
}

HistogramCall read_call(const Arguments &arguments) {
    HistogramCall call;
    Command command(
        "", "Turns pictures into bag-of-visual-words histograms.", "--centroids FILE INPUT...",
        "  bowhist --centroids c.bin img/*.jpg > histograms.csv\n"
        "  bowhist --centroids c.bin -o histograms.npz --kernel gpu5 photos/\n"
        "  bowhist --centroids photos.npz -o codes.npz photos/\n"
        "  find . -name '*.jpg' -print0 | bowhist --centroids c.bin --files-from - -0\n"
        "\n"
        "INPUT: pictures, folders of them, or descriptors (.npy .npz .fvecs .fbin).\n"
        "What c.bin.json says of the extractor and of preprocessing holds without these\n"
        "options, too; the defaults are for a vocabulary that has none.\n"
        "Verbs, each with a --help of its own:\n"
        "  bowhist cluster    group pictures that look alike\n"
        "  bowhist duplicates copies of the same picture\n"
        "  bowhist index      a library of pictures, kept up to date\n"
        "  bowhist search     the pictures of a library that are like others\n"
        "  bowhist serve      the same in a browser, and for scripts\n"
        "  bowhist show       what the words of a vocabulary look like\n"
        "  bowhist status     what a library holds\n"
        "  bowhist export     the histograms or codes of a library\n"
        "  bowhist train      learn a vocabulary from pictures\n"
        "  bowhist extract    descriptors only, to reuse\n"
        "  bowhist merge      parts made with --shard, put together\n"
        "  bowhist assign     descriptors to words\n"
        "  bowhist filter     a picture to a picture, to look at\n"
        "  bowhist devices    what OpenCL offers here\n"
        "  bowhist kernels    the optimization levels and their source\n"
        "  bowhist bench      what each of them reaches here\n"
        "  bowhist help VERB  the same as its --help\n"
        "Processes that mpirun or srun starts share a run: mpirun -n 8 bowhist train ...\n"
        "\n"
        "Exit status: 0 all done, 1 some inputs were skipped, 2 wrong usage, 3 no result,\n"
        "130 interrupted.");
    HistogramRequest &request = call.request;
    add_file(command, "--centroids", request.centroids,
             "The vocabulary, as `bowhist train` writes it; or a model, of `train --model vlad`");
    add_file(command, "-o,--output", request.output,
             "The ending is the format: .csv .npy .npz .jsonl .svm .fbin .fvecs "
             "(without it, or for -, CSV to standard output)");
    add_choice<Encoding>(command, "--encode", call.encoding,
                         {{"bow", Encoding::bow},
                          {"soft", Encoding::soft},
                          {"pyramid", Encoding::pyramid},
                          {"vlad", Encoding::vlad}},
                         "A row for each picture: bow, how often each word occurs; soft, the "
                         "--nearest words of each descriptor, the nearer the more; pyramid, as bow "
                         "in each of --cells; vlad, the code that a model makes (default: what "
                         "--centroids makes)")
        ->type_name("ENCODING");
    const CLI::Option *const nearest = add_number(command, "--nearest", call.nearest, 1,
                                                  "Of soft: words of a descriptor", most_soft_words)
                                           ->type_name("M");
    const CLI::Option *const cells =
        command
            .add_option_function<std::string>(
                "--cells", [&call](const std::string &text) { call.cells = parse_cells(text); },
                "Grids of cells, columns x rows, with commas: the rows of all cells, end to end; "
                "of bow a pyramid (default: of pyramid 1x1,2x2,4x4)")
            ->type_name("GRIDS");
    add_choice<bool>(command, "--labels", request.labels_by_folder, {{"folders", true}},
                     "In .svm, number pictures by the names of their folders (folders), in the "
                     "names' order from 0; -v lists them (default: all 0)")
        ->type_name("BY");
    const CLI::Option *const normalize =
        add_normalization_option(command, request.normalization, true);
    add_descend_option(command, request.descends);
    add_level_options(command, request.level);
    add_recipe_options(command, request.recipe);
    add_input_options(command, request.inputs);
    add_shard_option(command, request.shard);
    add_stream_options(command, request.stream);
    add_console_options(command, call.console);
    request.inputs.arguments = command.parse(arguments);
    if (arguments.empty())
        throw Error(Fault::usage,
                    "there is nothing to do; begin with bowhist cluster photos/ --html "
                    "sheet.html; bowhist help lists all");
    if (request.centroids.empty())
        throw Error(Fault::usage,
                    "there is no vocabulary; give --centroids c.bin, or learn one first: bowhist "
                    "train -o c.bin INPUT...; see --help");
    settle_encoding(call, given(normalize));
    if (call.encoding == Encoding::bow && given(cells)) call.encoding = Encoding::pyramid;
    if (call.encoding == Encoding::pyramid && !given(cells))
        call.cells = parse_cells("1x1,2x2,4x4");
    if (given(nearest) && call.encoding != Encoding::soft)
        throw Error(Fault::usage, "--nearest is for --encode soft; give that, or leave it out");
    if (request.descends && call.encoding != Encoding::bow && call.encoding != Encoding::pyramid)
        throw Error(Fault::usage, "--descend is for --encode bow and pyramid; leave it out");
    if (request.labels_by_folder && !request.shard && ending_of(request.output) != ".svm")
        throw Error(Fault::usage, "--labels is for .svm; name such a file, or leave it out");
    if (request.output == "-") request.output.clear(); // standard output, as without -o
    require_shard_output(request.shard, request.output);
    return call;
}

HistogramRun make(const HistogramCall &call, Observer &observer) {
    if (call.encoding == Encoding::vlad) return make_codes(call.request, call.cells, observer);
    if (call.encoding == Encoding::pyramid)
        return make_pyramids(call.request, call.cells, observer);
    if (call.encoding == Encoding::soft)
        return make_soft_words(call.request, call.nearest, call.cells, observer);
    return make_histograms(call.request, observer);
}

} // namespace

int make_histograms_verb(const Arguments &arguments) {
    HistogramCall call = read_call(arguments);
    Console console(call.console);
    if (team().size() > 1)
        return share_among_ranks(call.request, console, [&] {
            for (const LevelPart &part : make(call, console).parts)
                note_report(console, part.level.name(), part.report);
        });
    const HistogramRun run = make(call, console);
    for (const LevelPart &part : run.parts) note_report(console, part.level.name(), part.report);
    return summarize(run.inputs, console, run.was_complete ? already_complete : "");
}

} // namespace bowhist::app
