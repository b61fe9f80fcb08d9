// bowhist extract: images in, descriptor files out.
#include "app/command/options.hpp"
#include "app/command/summary.hpp"
#include "app/command/team.hpp"
#include "app/command/team_parts.hpp"
#include "app/descriptor_folder.hpp"
#include "app/shared_inputs.hpp"
#include "app/size_forecast.hpp"
#include <bowhist/pipeline/output_check.hpp>

#include <bowhist/assign/choose/unused_options.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/pictures/picture_writer.hpp>
#include <bowhist/pipeline/few_descriptors.hpp>
#include <bowhist/pipeline/part_of_run.hpp>
#include <bowhist/tables/descriptors/descriptor_collection.hpp>
#include <bowhist/tables/parts/part_file.hpp>

#include <algorithm>
#include <iterator>
#include <optional>

namespace bowhist::app {
namespace {

namespace fs = std::filesystem;

struct ExtractCall {
    fs::path output;
    fs::path whole; ///< at rank 0, which puts parts together: what they become
    std::optional<Shard> shard;
    fs::path drawing;
    InputSource source;
    RecipeRequest recipe;
    PreprocessorOptions preprocessor;
    StreamOptions stream;
    ConsoleOptions console;
};

/// A path that cannot be examined counts as no folder; the write then reports the error.
bool is_folder(const fs::path &path) {
    std::error_code unknown;
    return fs::is_directory(path, unknown);
}

/// A forgotten ending, or another verb's, must not make a folder of that name: a name that ends
/// like a file's (.txt, .jsonl) makes none. photos.d and 2024.05 end like folders.
bool looks_like_a_file(const fs::path &output) {
    constexpr std::size_t shortest = 3; // ".gz"
    constexpr std::size_t longest = 6;
    const std::string ending = ending_of(output);
    return ending.size() >= shortest && ending.size() <= longest &&
           ending.find_first_not_of("abcdefghijklmnopqrstuvwxyz", 1) == std::string::npos &&
           !is_folder(output);
}

void check_output(const ExtractCall &call) {
    const fs::path &output = call.output;
    if (output.empty() && call.drawing.empty())
        throw Error(Fault::usage, "there is nothing to write; give -o OUT or --draw OUT.png");
    if (!call.drawing.empty() && !is_writable_image(call.drawing, Color::bgr))
        throw Error(Fault::usage,
                    fmt::format("{} does not end like a picture with colors; end it in one of {}",
                                call.drawing, writable_image_endings(Color::bgr)));
    if (output == "-")
        throw Error(Fault::usage,
                    "extract writes two files for each picture, which standard output "
                    "cannot hold; name a folder, or ./- for one of that name");
    if (call.shard && looks_like_a_file(output)) require_part_name(output);
    if (looks_like_a_file(output) && !is_descriptor_file(output) && !call.shard)
        throw Error(Fault::usage,
                    fmt::format("{}: expected a name that ends with .npy, .npz, .fvecs or .fbin, "
                                "or a folder; {}/ would be one",
                                output, output));
}

ExtractCall read_call(const Arguments &arguments) {
    ExtractCall call;
    Command command(
        "extract", "Writes the descriptors of pictures, to reuse.", "-o OUT INPUT...",
        "  bowhist extract -o descriptors/ photos/\n"
        "  bowhist extract -o all.fbin photos/\n"
        "  bowhist extract --extractor kaze -o rose.npz --draw rose-kaze.png rose.jpg\n"
        "\n"
        "OUT: a folder (an .npy for each picture, under the picture's own relative path),\n"
        "one .fbin of all pictures, or, for a single INPUT, a file (.npy .npz .fvecs\n"
        ".fbin). Beside each lies a .json that names the pictures. An .npz holds that\n"
        "itself, and where in the picture each descriptor is from. Run again, a folder\n"
        "keeps what is current: same picture (size and time), options and version.");
    add_file(command, "-o,--output", call.output, "Folder, or file (.fbin; for one INPUT others)")
        ->type_name("OUT");
    const CLI::Option *const drawing =
        add_file(command, "--draw", call.drawing,
                 "Draw the keypoints over the picture, at the size that it was extracted at");
    add_recipe_options(command, call.recipe);
    add_device_options(command, call.preprocessor.device, call.preprocessor.kernel_dir);
    add_input_options(command, call.source);
    command.contradict(drawing, add_shard_option(command, call.shard));
    add_stream_options(command, call.stream);
    add_console_options(command, call.console);
    call.source.arguments = command.parse(arguments);
    check_output(call);
    return call;
}

/// The kind of output that the call makes.
struct Kind {
    bool one_file;   ///< else a folder, or only a drawing
    bool collection; ///< one file of many images
};

/// Whether this is one file as INPUT, not a folder, a list or a collection, whatever these hold.
bool names_one_file(const InputSource &source, const InputList &list) {
    return list.inputs.size() == 1 && !list.inputs.front().collection &&
           source.arguments == std::vector{list.inputs.front().path.native()};
}

Kind kind_of(const ExtractCall &call, const InputList &list) {
    const bool is_part = call.shard && looks_like_a_file(call.output);
    const bool one_file = is_part || (is_descriptor_file(call.output) && !is_folder(call.output));
    const bool is_fbin = is_part || ending_of(call.output) == ".fbin";
    if (one_file && !is_fbin && list.inputs.size() != 1)
        throw Error(Fault::usage, fmt::format("{} holds one picture, but there are {}; end it in "
                                              ".fbin, which holds many, or give a folder",
                                              call.output, list.inputs.size()));
    return {one_file, one_file && is_fbin && !names_one_file(call.source, list)};
}

/// Refuses all that --draw cannot draw: it takes one image.
void check_drawing(const fs::path &drawing, const InputList &list) {
    if (drawing.empty()) return;
    if (list.inputs.size() != 1)
        throw Error(Fault::usage, fmt::format("--draw shows one picture, but there are {}; name "
                                              "one",
                                              list.inputs.size()));
    if (!any_image(list))
        throw Error(Fault::usage, fmt::format("{} holds descriptors; --draw wants the picture that "
                                              "they are of",
                                              list.inputs.front().path));
}

/// Reads the image again, as the extractor saw it: only a drawing needs it still.
void draw(const ExtractCall &call, const Described &described, const StreamOptions &options,
          const Recipe &recipe) {
    Image image = read_image(described.input.path, options.image);
    if (options.preprocessor) image = options.preprocessor->run(image);
    write_keypoints(call.drawing, image, described.descriptors.keypoints,
                    recipe.extractor == "dense" ? KeypointShape::patch : KeypointShape::circle);
}

/// Warns that an earlier file stays, as there is nothing to replace it with.
void warn_that_it_stays(const fs::path &file, Observer &observer) {
    observer.warning(
        fmt::format("{}: stays as it was; there is nothing to put in its place", file));
}

void require_place(const ExtractCall &call, const Kind &kind) {
    if (call.shard && kind.one_file) return make_folder_of(call.output); // the part is opened later
    if (kind.one_file) require_writable(call.output);
}

void warn_of_unused_device(const ExtractCall &call, const StreamOptions &options,
                           Observer &observer) {
    if (options.preprocessor) return;
    warn_of_unused({.device = call.preprocessor.device, .kernel_dir = call.preprocessor.kernel_dir},
                   "a device is for --equalize, --blur and --filter of pictures", observer);
}

/// A part of one file of many images. Nothing without a shard, and for a folder.
std::optional<PartOfRun> part_of(const ExtractCall &call, const Kind &kind,
                                 const PreparedRecipe &recipe, InputSummary &run,
                                 StreamOptions &options) {
    if (!call.shard || !kind.one_file) return std::nullopt;
    return PartOfRun({.shard = *call.shard,
                      .output = call.output,
                      .dimensions = recipe.extractor().dimensions(),
                      .content = DescriptorsInfo{kind.collection}},
                     run, options);
}

struct Extracted {
    InputSummary run;
    const char *result = "";
};

Extracted extract(const ExtractCall &call, Console &console) {
    const PreparedRecipe recipe(call.recipe);
    InputSummary run{
        list_given_inputs(call.source, call.stream.strict, console), {}, recipe.recipe()};
    InputList &list = run.list;
    const Kind kind = kind_of(call, list);
    check_drawing(call.drawing, list);
    std::optional<DescriptorFolder> folder;
    if (!kind.one_file && !call.output.empty())
        folder.emplace(call.output, list,
                       range_of(call.shard.value_or(Shard()), list.inputs.size()));
    Paths outputs{call.drawing};
    if (folder) std::ranges::move(folder->outputs(), std::back_inserter(outputs));
    if (kind.one_file) outputs.insert(outputs.end(), {call.output, sidecar_path(call.output)});
    check_outputs(outputs, {}, list);
    if (!call.drawing.empty()) require_drawable(call.drawing);
    std::vector<Input> before; // the shard's
    if (folder && call.shard) before = take_shard(*call.shard, list.inputs);
    // what is drawn is extracted, too
    if (folder && call.drawing.empty()) folder->keep_current(list, recipe.recipe(), console);
    StreamOptions options = recipe.options_for(list, call.stream, call.preprocessor, console);
    if (kind.collection && any_image(list)) options.made_by = recipe.recipe();
    decide_by(before, recipe.extractor().dimensions(), options);
    run.few = options.few;
    std::optional<InputList> all; // before a rank takes its part
    if (!call.whole.empty()) all = list;
    auto part = part_of(call, kind, recipe, run, options);
    if (const auto complete = part ? part->complete() : std::nullopt)
        return {*complete, already_complete};
    require_place(call, kind);
    warn_of_unused_device(call, options, console);
    std::optional<CollectionWriter> collection;
    std::optional<SizeForecast> forecast;
    if (part) part->writer(); // refused before hours of work
    if (kind.collection && !part) collection.emplace(call.output);
    if (kind.collection && team().rank() == 0)
        forecast.emplace(all ? call.whole : call.output, all ? *all : list, recipe.recipe(),
                         recipe.extractor().dimensions(), console);
    const auto write = [&](Described &&described) {
        const bool imported = is_descriptor_file(described.input.path);
        const Recipe made_by =
            described.recipe.value_or(imported ? Recipe::imported() : recipe.recipe());
        if (!call.drawing.empty()) draw(call, described, options, recipe.recipe());
        if (folder) return folder->write(described, made_by);
        const DescriptorSidecar record{described.image, made_by};
        if (forecast) forecast->add(described.descriptors);
        if (part) return part->writer().add(part_row(described.descriptors, record));
        if (collection) return collection->write(described.descriptors, record);
        if (kind.one_file) write_descriptors(call.output, described.descriptors, record);
    };
    run.counts = stream_descriptors(list.inputs, recipe.extractor(), options, console, write);
    if (part) part->finish(run);
    if (folder) folder->count_kept(options.few, run.counts, console);
    if (!call.shard) require_read(run);
    if (collection && !collection->finish_unless_empty()) warn_that_it_stays(call.output, console);
    return {std::move(run)};
}

/// Each rank extracts to a part, which rank 0 puts together.
int share_extract(ExtractCall &call, Console &console) {
    const fs::path output = call.output;
    if (!is_descriptor_file(output) || is_folder(output) || !call.drawing.empty())
        throw Error(Fault::usage, "ranks extract to one file, such as -o all.fbin; name one, or "
                                  "start without the launcher");
    if (team().rank() == 0) require_writable(output);
    share_inputs(call.source, {output, sidecar_path(output)});
    const TeamParts parts(".part");
    call.shard = parts.shard();
    call.output = parts.own();
    if (team().rank() == 0) call.whole = output;
    extract(call, console);
    return merge_team_parts(parts, output, console);
}

} // namespace

int extract_verb(const Arguments &arguments) {
    ExtractCall call = read_call(arguments);
    Console console(call.console);
    if (team().size() > 1) return share_extract(call, console);
    const Extracted extracted = extract(call, console);
    return summarize(extracted.run, console, extracted.result);
}

} // namespace bowhist::app
