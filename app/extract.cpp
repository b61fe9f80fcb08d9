// bowhist extract: pictures in, descriptor files out.
#include "app/options.hpp"
#include "app/output_check.hpp"
#include "app/places.hpp"
#include "app/summary.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/io/temporary_file.hpp>
#include <bowhist/pictures/picture_writer.hpp>
#include <bowhist/tables/descriptor_collection.hpp>

#include <optional>

namespace bowhist::app {
namespace {

namespace fs = std::filesystem;

struct ExtractCall {
    fs::path output;
    fs::path drawing;
    InputSource source;
    RecipeRequest recipe;
    PreprocessorOptions preprocessor;
    StreamOptions stream;
    ConsoleOptions console;
};

/// What cannot be looked at is none: writing there tells the reason.
bool is_folder(const fs::path &path) {
    std::error_code unknown;
    return fs::is_directory(path, unknown);
}

/// A forgotten ending, or another verb's, must not make a folder of that name: what ends like a
/// file (.txt, .jsonl) is none. photos.d and 2024.05 end like folders.
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
    if (!call.drawing.empty() && !is_writable_picture(call.drawing, Colour::bgr))
        throw Error(Fault::usage,
                    fmt::format("{} does not end like a picture with colours; end it in one of {}",
                                printable(call.drawing), writable_picture_endings(Colour::bgr)));
    if (output == "-")
        throw Error(Fault::usage,
                    "extract writes two files for each picture, which standard output "
                    "cannot hold; name a folder, or ./- for one of that name");
    if (looks_like_a_file(output) && !is_descriptor_file(output))
        throw Error(Fault::usage,
                    fmt::format("{}: expected a name that ends with .npy, .npz, .fvecs or .fbin, "
                                "or a folder; {}/ would be one",
                                printable(output), printable(output)));
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
        "itself, and where in the picture each descriptor is from.");
    command.add_option("-o,--output", call.output, "Folder, or file (.fbin; for one INPUT others)")
        ->type_name("OUT");
    add_file(command, "--draw", call.drawing,
             "Draw the keypoints over the picture, at the size that it was extracted at");
    add_recipe_options(command, call.recipe);
    add_device_options(command, call.preprocessor.device, call.preprocessor.kernel_dir);
    add_input_options(command, call.source);
    add_stream_options(command, call.stream);
    add_console_options(command, call.console);
    call.source.arguments = command.parse(arguments);
    check_output(call);
    return call;
}

/// All that will be written.
Paths outputs_of(const ExtractCall &call, bool one_file, const InputList &list) {
    Paths outputs;
    Places places(call.output);
    if (!call.drawing.empty()) outputs.push_back(call.drawing);
    if (one_file) outputs.insert(outputs.end(), {call.output, sidecar_path(call.output)});
    if (one_file || call.output.empty()) return outputs;
    for (const Input &input : list.inputs) {
        outputs.push_back(places.place_for(input));
        outputs.push_back(sidecar_path(outputs.back()));
    }
    return outputs;
}

void make_folder_of(const fs::path &file) {
    std::error_code reason;
    if (file.has_parent_path()) fs::create_directories(file.parent_path(), reason);
    if (!reason) return;
    const std::string folder = printable(file.parent_path());
    if (is_fault_of_name(reason.value()))
        throw UnusableName(output_failure(folder, "created", reason.value()));
    throw Error(Fault::output, fmt::format("{}: {}; choose another -o", folder, reason.message()));
}

/// What cannot be written shows before a picture is read.
void require_writable(const fs::path &file) {
    make_folder_of(file);
    const TemporaryFile descriptors(file);
    std::optional<TemporaryFile> sidecar;
    if (ending_of(file) != ".npz") sidecar.emplace(sidecar_path(file));
}

/// What --draw can draw.
void check_drawing(const fs::path &drawing, const InputList &list) {
    if (drawing.empty()) return;
    if (list.inputs.size() != 1)
        throw Error(Fault::usage, fmt::format("--draw shows one picture, but there are {}; name "
                                              "one",
                                              list.inputs.size()));
    if (!any_picture(list))
        throw Error(Fault::usage, fmt::format("{} holds descriptors; --draw wants the picture that "
                                              "they are of",
                                              printable(list.inputs.front().path)));
}

/// Whether this is one file as INPUT, not a folder, a list or a collection, whatever these hold.
bool names_one_file(const InputSource &source, const InputList &list) {
    return list.inputs.size() == 1 && !list.inputs.front().collection &&
           source.arguments == std::vector{list.inputs.front().path.native()};
}

/// Reads the picture again, as the extractor saw it: only a drawing needs it still.
void draw(const ExtractCall &call, const Described &described, const StreamOptions &options,
          const Recipe &recipe) {
    Image image = read_picture(described.input.path, options.picture);
    if (options.preprocessor) image = options.preprocessor->run(image);
    write_keypoints(call.drawing, image, described.descriptors.keypoints,
                    recipe.extractor == "dense" ? KeypointShape::patch : KeypointShape::circle);
}

} // namespace

int extract_verb(const Arguments &arguments) {
    const ExtractCall call = read_call(arguments);
    Console console(call.console);
    const PreparedRecipe recipe(call.recipe);
    const InputList list = list_given_inputs(call.source, call.stream.strict, console);
    const bool one_file = is_descriptor_file(call.output) && !is_folder(call.output);
    const bool is_fbin = ending_of(call.output) == ".fbin";
    const bool collect = one_file && is_fbin && !names_one_file(call.source, list);
    if (one_file && !is_fbin && list.inputs.size() != 1)
        throw Error(Fault::usage, fmt::format("{} holds one picture, but there are {}; end it in "
                                              ".fbin, which holds many, or give a folder",
                                              printable(call.output), list.inputs.size()));
    check_drawing(call.drawing, list);
    check_outputs(outputs_of(call, one_file, list), list);
    if (!call.drawing.empty()) require_drawable(call.drawing);
    StreamOptions options = recipe.options_for(list, call.stream, call.preprocessor, console);
    if (collect && any_picture(list)) options.made_by = recipe.recipe();
    std::optional<CollectionWriter> collection;
    if (collect) {
        make_folder_of(call.output);
        collection.emplace(call.output);
    }
    if (one_file && !collect) require_writable(call.output);
    Places places(call.output);
    const auto write = [&](Described &&described) {
        const bool imported = is_descriptor_file(described.input.path);
        const DescriptorSidecar told{
            described.image,
            described.recipe.value_or(imported ? Recipe::imported() : recipe.recipe())};
        if (!call.drawing.empty()) draw(call, described, options, recipe.recipe());
        if (call.output.empty()) return;
        if (collection) return collection->write(described.descriptors, told);
        const fs::path file = one_file ? call.output : places.place_for(described.input);
        make_folder_of(file);
        write_descriptors(file, described.descriptors, told);
    };
    const StreamCounts counts =
        stream_descriptors(list.inputs, recipe.extractor(), options, console, write);
    if (collection) {
        std::error_code unknown;
        if (counts.read > 0 || !fs::exists(call.output, unknown))
            collection->finish();
        else
            console.warning(fmt::format("{}: stays as it was; there is nothing to put in its place",
                                        printable(call.output)));
    }
    return summarize(list, counts, options.few, recipe.recipe(), console);
}

} // namespace bowhist::app
