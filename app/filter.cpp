// bowhist filter: a picture in, a picture out.
#include "app/options.hpp"
#include "app/output_check.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/ops/named_filter.hpp>
#include <bowhist/pictures/picture_writer.hpp>
#include <bowhist/pipeline/preprocessing.hpp>

#include <fmt/format.h>

namespace bowhist::app {
namespace {

struct FilterCall {
    std::string input;
    std::filesystem::path output;
    Preprocessing steps;
    std::set<std::string_view> given;
    PreprocessorOptions options;
    PictureLimits picture{.max_side = 0};
    ConsoleOptions console;
};

void check(const FilterCall &call, const std::vector<std::string> &inputs) {
    if (inputs.size() != 1)
        throw Error(Fault::usage,
                    fmt::format("there are {} pictures to filter; name one", inputs.size()));
    if (call.given.empty())
        throw Error(Fault::usage,
                    "there is nothing to do; give --equalize, --blur SIGMA or --filter NAME");
    if (call.output == "-")
        throw Error(Fault::usage, "filter writes a picture in the format that its name ends in, "
                                  "which standard output has not; name a file");
    if (!is_writable_picture(call.output))
        throw Error(Fault::usage, fmt::format("{} does not end like a picture; end it in one of {}",
                                              printable(call.output), writable_picture_endings()));
    check_not_input(call.output, inputs.front());
}

FilterCall read_call(const Arguments &arguments) {
    FilterCall call;
    Command command(
        "filter", "Filters a picture, to look at what the options do.", "IN -o OUT",
        "  bowhist filter rose.jpg -o edges.png --blur 2 --filter sobel-x\n"
        "  bowhist filter dark.png -o clear.png --equalize\n"
        "\n"
        "OUT is grey, its format by its ending. The order is always the same: equalise,\n"
        "blur, filter.\n" +
            wrapped("Filters: " + filter_names() + ".") +
            "\n"
            "Of a filter whose weights sum to zero (a gradient) the absolute value is shown.\n"
            "A file holds a filter's rows of numbers, an odd number of each; it is not\n"
            "flipped.");
    command.add_option("-o,--output", call.output, "The picture to write")
        ->required()
        ->type_name("OUT");
    add_preprocessing_options(command, call.steps, call.given);
    add_border_option(command, call.options.border);
    add_device_options(command, call.options.device, call.options.kernel_dir);
    add_picture_options(command, call.picture);
    add_console_options(command, call.console);
    const std::vector<std::string> inputs = command.parse(arguments);
    check(call, inputs);
    call.input = inputs.front();
    return call;
}

} // namespace

int filter_verb(const Arguments &arguments) {
    const FilterCall call = read_call(arguments);
    Console console(call.console);
    std::string damage;
    const Image image = read_picture(call.input, call.picture, &damage);
    if (!damage.empty()) console.warning(damage);
    const auto preprocessor = make_preprocessor(call.steps, call.options);
    console.note(fmt::format("{} x {} pixels on {}", image.width, image.height,
                             preprocessor ? preprocessor->device() : "no device: no step is left"));
    write_picture(call.output, preprocessor ? preprocessor->run(image) : image);
    return 0;
}

} // namespace bowhist::app
