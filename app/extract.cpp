// bowhist extract: pictures in, descriptor files out.
#include "app/options.hpp"
#include "app/output_check.hpp"
#include "app/summary.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/tables/descriptor_collection.hpp>

#include <optional>
#include <set>

namespace bowhist::app {
namespace {

namespace fs = std::filesystem;

struct ExtractCall {
    fs::path output;
    InputSource source;
    RecipeRequest recipe;
    PreprocessorOptions preprocessor;
    StreamOptions stream;
    ConsoleOptions console;
};

/// A forgotten ending, or another verb's, must not make a folder of that name: what ends like a
/// file
/// (.txt, .jsonl) is none. photos.d and 2024.05 end like folders.
bool looks_like_a_file(const fs::path &output) {
    constexpr std::size_t shortest = 3; // ".gz"
    constexpr std::size_t longest = 6;
    const std::string ending = ending_of(output);
    return ending.size() >= shortest && ending.size() <= longest &&
           ending.find_first_not_of("abcdefghijklmnopqrstuvwxyz", 1) == std::string::npos &&
           !fs::is_directory(output);
}

void check_output(const fs::path &output) {
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
        "  bowhist extract --extractor kaze -o rose.npz rose.jpg\n"
        "\n"
        "OUT: a folder (an .npy for each picture, under the picture's own relative path),\n"
        "one .fbin of all pictures, or, for a single INPUT, a file (.npy .npz .fvecs\n"
        ".fbin). Beside each lies a .json that names the pictures. An .npz holds that\n"
        "itself, and where in the picture each descriptor is from.");
    command.add_option("-o,--output", call.output, "Folder, or file (.fbin; for one INPUT others)")
        ->required()
        ->type_name("OUT");
    add_recipe_options(command, call.recipe);
    add_device_options(command, call.preprocessor.device, call.preprocessor.kernel_dir);
    add_input_options(command, call.source);
    add_stream_options(command, call.stream);
    add_console_options(command, call.console);
    call.source.arguments = command.parse(arguments);
    check_output(call.output);
    return call;
}

/// A path that stays below the folder it is put under.
fs::path contained(const fs::path &path) {
    fs::path inside;
    for (const fs::path &part : path.lexically_normal())
        if (part != ".." && part != "." && !part.has_root_directory()) inside /= part;
    return inside;
}

/// Leaves room for the endings of descriptors, sidecar and temporary file: a name has 255 bytes.
fs::path with_short_name(const fs::path &path) {
    constexpr std::size_t most_bytes = 200;
    const std::string stem = path.stem().native();
    if (stem.size() <= most_bytes) return path;
    return path.parent_path() / (stem.substr(0, most_bytes) + path.extension().native());
}

/// Where each picture's descriptors go, no two to the same place.
class Places {
  public:
    explicit Places(fs::path folder) : folder_(std::move(folder)) {}

    fs::path place_for(const Input &input) {
        const fs::path whole = with_short_name(contained(input.below));
        fs::path place = fs::path(whole).replace_extension(".npy");
        for (int number = 1; !taken_.insert(place.native()).second; ++number) {
            place = whole;
            place += number == 1 ? ".npy" : fmt::format("-{}.npy", number);
        }
        return folder_ / place;
    }

  private:
    fs::path folder_;
    std::set<std::string> taken_;
};

/// All that will be written.
Paths outputs_of(const ExtractCall &call, bool one_file, const InputList &list) {
    Paths outputs;
    Places places(call.output);
    if (one_file) return {call.output, sidecar_path(call.output)};
    for (const Input &input : list.inputs) {
        outputs.push_back(places.place_for(input));
        outputs.push_back(sidecar_path(outputs.back()));
    }
    return outputs;
}

void make_folder_of(const fs::path &file) {
    std::error_code reason;
    if (file.has_parent_path()) fs::create_directories(file.parent_path(), reason);
    if (reason)
        throw Error(Fault::output, fmt::format("{}: {}; choose another -o",
                                               printable(file.parent_path()), reason.message()));
}

} // namespace

int extract_verb(const Arguments &arguments) {
    const ExtractCall call = read_call(arguments);
    Console console(call.console);
    const PreparedRecipe recipe(call.recipe);
    const InputList list = list_given_inputs(call.source, call.stream.strict, console);
    const bool one_file = is_descriptor_file(call.output) && !fs::is_directory(call.output);
    const bool collect = one_file && list.inputs.size() != 1;
    if (collect && ending_of(call.output) != ".fbin")
        throw Error(Fault::usage, fmt::format("{} holds one picture, but there are {}; end it in "
                                              ".fbin, which holds many, or give a folder",
                                              printable(call.output), list.inputs.size()));
    check_not_input(outputs_of(call, one_file, list), list);
    StreamOptions options = recipe.options_for(list, call.stream, call.preprocessor, console);
    if (collect && any_picture(list)) options.made_by = recipe.recipe();
    std::optional<CollectionWriter> collection;
    if (collect) collection.emplace(call.output);
    Places places(call.output);
    const auto write = [&](Described &&described) {
        const bool imported = is_descriptor_file(described.input.path);
        const DescriptorSidecar told{
            described.image,
            described.recipe.value_or(imported ? Recipe::imported() : recipe.recipe())};
        if (collection) return collection->write(described.descriptors, told);
        const fs::path file = one_file ? call.output : places.place_for(described.input);
        make_folder_of(file);
        write_descriptors(file, described.descriptors, told);
    };
    const StreamCounts counts =
        stream_descriptors(list.inputs, recipe.extractor(), options, console, write);
    if (collection) collection->finish();
    return summarize(list, counts, options.few, console);
}

} // namespace bowhist::app
