// bowhist extract: pictures in, descriptor files out.
#include "app/options.hpp"
#include "app/output_check.hpp"
#include "app/summary.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/tables/descriptor_file.hpp>

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

ExtractCall read_call(const Arguments &arguments) {
    ExtractCall call;
    Command command(
        "extract", "Writes the descriptors of pictures, to reuse.", "-o OUT INPUT...",
        "  bowhist extract -o descriptors/ photos/\n"
        "  bowhist extract --extractor kaze -o rose.fvecs rose.jpg\n"
        "\n"
        "OUT: a folder (a .npy for each picture, under the picture's own relative path)\n"
        "or, for a single INPUT, a file (.npy .fvecs .fbin). Beside each lies a .json\n"
        "that names the picture.");
    command.add_option("-o,--output", call.output, "Folder, or file for a single INPUT")
        ->required()
        ->type_name("OUT");
    add_recipe_options(command, call.recipe);
    add_device_options(command, call.preprocessor.device, call.preprocessor.kernel_dir);
    add_input_options(command, call.source);
    add_stream_options(command, call.stream);
    add_console_options(command, call.console);
    call.source.arguments = command.parse(arguments);
    if (call.output == "-")
        throw Error(Fault::usage,
                    "extract writes two files for each picture, which standard output "
                    "cannot hold; name a folder, or ./- for one of that name");
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
    for (const Input &input : list.inputs) {
        outputs.push_back(one_file ? call.output : places.place_for(input));
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
    if (one_file && list.inputs.size() != 1)
        throw Error(Fault::usage,
                    fmt::format("{} is one file, but there are {} inputs; give a folder",
                                printable(call.output), list.inputs.size()));
    check_not_input(outputs_of(call, one_file, list), list);
    const StreamOptions options = recipe.options_for(list, call.stream, call.preprocessor, console);
    Places places(call.output);
    const auto write = [&](Described &&described) {
        const fs::path file = one_file ? call.output : places.place_for(described.input);
        make_folder_of(file);
        write_descriptors(file, described.descriptors);
        const bool imported = is_descriptor_file(described.input.path);
        write_sidecar(file,
                      {described.image,
                       described.recipe.value_or(imported ? Recipe::imported() : recipe.recipe())});
    };
    const StreamCounts counts =
        stream_descriptors(list.inputs, recipe.extractor(), options, console, write);
    return summarize(list, counts, options.few, console);
}

} // namespace bowhist::app
